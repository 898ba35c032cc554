# Lines "path TYPE value", tabs between, into one object: see kv.sh.
def kv:
  split("\n") | map(select(length > 0) | split("\t"))
  | reduce .[] as [$path, $type, $value] ({};
      ($path | split("/") | map(if test("^[0-9]+$") then tonumber else . end)) as $p
      | if $type == "a" then setpath($p; getpath($p) // [])
        else setpath($p;
          if $value == "" then null
          elif $type == "n" then ($value | tonumber? // null)
          elif $type == "b" then ($value == "1")
          else $value end)
        end);
