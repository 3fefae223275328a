#!/bin/sh
# Connects {{title}} to {{origin}}. To undo that: curl -fsS {{url}} | sh -s -- --undo
set -eu; umask 077
site={{site}} file={{file}}
{{change}}
fail() { printf '%s\nNothing was changed.\n' "$1" >&2; exit 1; }
to_text() { tr -d '[:cntrl:]' | sed -E 's/^(([^"\\]|\\.)*).*/\1/; s/\\(["\\])/\1/g'; }
ask() {
  (: </dev/tty) 2>/dev/null || fail 'This needs a terminal, to ask for your key.'
  terminal=$(stty -g </dev/tty); stty -echo </dev/tty
  printf 'Your key from %s/account (it will not be shown): ' "$site" >/dev/tty; read -r key </dev/tty || :
  stty "$terminal" </dev/tty; echo >/dev/tty
  case $key in *[!0-9A-Za-z_]* | '') fail 'That is no key.' ;; esac
  reply=$(printf 'header = "Authorization: Bearer %s"' "$key" | curl -sS -K - -w '\n%{http_code}' \
    "$site/proxy/v1/{{path}}" -H 'Content-Type: application/json' -d {{body}}) || fail 'The test failed.'
  case $reply in *200) ;; *) fail "The test failed: $(printf '%s' "${reply#*'"message":"'}" | to_text)" ;; esac
}
main() {
  [ ! -L "$file" ] || file=$(readlink -f "$file")
  copy=$file.before-marquee key='' terminal='' undo=${1:+1}
  trap '[ -z "$terminal" ] || stty "$terminal" </dev/tty; rm -f "$file.new"' EXIT; trap 'exit 1' HUP INT TERM
  if [ -z "$undo" ]; then ask; elif [ ! -e "$copy" ]; then fail '{{title}} is not connected.'; fi
  [ -e "$file" ] || { mkdir -p "${file%/*}"; : >"$file"; }
  [ -e "$copy" ] && grep -qF "$site/proxy" "$file" || cp "$file" "$copy"
  change "$undo" >"$file.new" || fail "$file is not plain JSON: see $site/docs/connect."
  if [ -s "$file.new" ]; then mv "$file.new" "$file"; else rm "$file"; fi
  if [ -n "$undo" ]; then rm "$copy"; echo "Undone: $file has its old settings."; exit; fi
  {{after}}
  echo "{{title}} is connected. Changed: $file. The copy from before: $copy"
}
main "$@"
