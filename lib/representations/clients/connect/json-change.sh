# The file with these settings or, to undo, with what the copy has in their place.
change() { LC_ALL=C awk -v undo="$1" '
  function members(text, value, order,   n, part, token, level, depth) {
    while (match(text, /^("([^"\\]|\\.)*"|[][{},:]|[^][{},:"\/]+)/)) {
      token = substr(text, 1, RLENGTH); text = substr(text, RLENGTH + 1)
      level = depth - (token ~ /^[]}]/); depth = level + (token ~ /^[[{]/)
      if (level > 1 || level && token !~ /^[:,]/) { part = part token; continue }
      gsub(/^[ \t\r\n]+|[ \t\r\n]+$/, "", part)
      if (token == ":") order[++n] = part; else if (part != "") value[order[n]] = part
      part = ""
    }
    if (depth || text != "") exit 1; else return n
  }
  function merge(now, ours, was, tab,   i, n, m, name, a, b, c, p, q, r, out) {
    if (ours !~ /^[{]/ || tab == "    ") return undo ? was : ours
    n = members(now, a, p); m = members(ours, b, q); members(was, c, r)
    for (i = 1; i <= m; i++) if (!(q[i] in a)) p[++n] = q[i]
    for (name in b) a[name] = merge(a[name], b[name], c[name], tab "  ")
    for (i = 1; i <= n; i++) if (a[p[i]] != "") out = out ",\n" tab "  " p[i] ": " a[p[i]]
    return out ? "{" substr(out, 2) "\n" tab "}" : was
  }
  { text[part] = text[part] $0 "\n" } END { if (out = merge(text[2], text[1], text[3])) print out }
  ' part=1 - part=2 "$file" part=3 "$copy" <<END
{{settings}}
END
}
