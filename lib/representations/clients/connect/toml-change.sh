# Our lines end with "# marquee". Lines that they replace are comments until the undo.
change() {
  before() { sed -e '/ # marquee$/d' -e 's/^# not with marquee: //' "$file"; }
  if [ -n "$1" ]; then before; return; fi
  printf '%s # marquee\n' {{top}}
  before | LC_ALL=C awk '
  { isText = inText; if (gsub(/"""|\047\047\047/, "&") % 2) inText = !inText }
  !isText && /^[ \t]*\[\[?[ \t]*[A-Za-z0-9_"\047-]+[^,]*\]/ { table = $0 }
  table ~ /^[ \t]*\[[ \t]*model_providers[ \t]*\.[ \t]*"?marquee"?[ \t]*[].]/ ||
    !isText && table == "" && /^[ \t]*"?(model|model_provider|model_context_window)"?[ \t]*=/ ||
    !isText && table == "" && /^[ \t]*model_providers\.marquee[.= \t]/ { $0 = "# not with marquee: " $0 }
  { print }'
  printf '%s # marquee\n' {{table}} "experimental_bearer_token = \"$key\""
}
