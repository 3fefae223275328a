# Prints the lines of a file that we set: 1, at its beginning; 2, our table; or 0, all others.
lines() { LC_ALL=C awk -v wanted="$1" '
  { isText = inText; if (gsub(/"""|\047\047\047/, "&") % 2) inText = !inText }
  !isText && /^[ \t]*\[\[?[ \t]*[A-Za-z0-9_"\047-]+[^,]*\]/ { table = $0 }
  { kind = 0 }
  table ~ /^[ \t]*\[[ \t]*model_providers[ \t]*\.[ \t]*"?marquee"?[ \t]*[].]/ { kind = 2 }
  !isText && table == "" && /^[ \t]*"?(model|model_provider|model_context_window)"?[ \t]*=/ { kind = 1 }
  !isText && table == "" && /^[ \t]*model_providers\.marquee[.= \t]/ { kind = 1 }
  kind == wanted' "$2"
}
# The file with our settings or, to undo, with those of the copy. Codex may have dropped all comments since.
change() {
  if [ -z "$1" ]; then
    printf '%s\n' {{top}}
    lines 0 "$file"
    printf '%s\n' {{table}} "experimental_bearer_token = \"$key\""
  elif [ "$(lines 0 "$file")" = "$(lines 0 "$copy")" ]; then cat "$copy"
  else lines 1 "$copy"; lines 0 "$file"; lines 2 "$copy"; fi
}
