# Does the input conform to $schema[0]? As much of JSON Schema as results/schema.json
# uses; a property it does not name is an error too, so that none goes in undescribed.
def is($t): type as $have
  | if $t == "integer" then $have == "number" and . == floor else $have == $t end;

def check($s; $at):
  . as $v
  | (if $s.type then ([$s.type] | flatten | any(. as $t | $v | is($t)))
      | if . then empty else "\($at): \($v | tojson | .[:60]) is not \($s.type)" end else empty end),
    (if $s | has("const") then (if $v == $s.const then empty else "\($at): not \($s.const)" end) else empty end),
    (if $s.enum then (if any($s.enum[]; . == $v) then empty else "\($at): \($v) is none of \($s.enum)" end) else empty end),
    (if ($v | type) == "object" then
       (($s.required // [])[] as $k | if $v | has($k) then empty else "\($at): no \($k)" end),
       ($v | to_entries[] as {$key, $value}
         | (if $s.properties[$key] then $s.properties[$key]
            elif ($s.additionalProperties | type) == "object" then $s.additionalProperties
            elif $s.properties and $s.additionalProperties == null and ($at | test("reports|fio") | not) then
              {enum: ["not in the schema"]}
            else {} end) as $sub
         | $value | check($sub; "\($at).\($key)"))
     elif ($v | type) == "array" then
       ($v | to_entries[] as {$key, $value} | $value | check($s.items // {}; "\($at)[\($key)]"))
     else empty end);

[check($schema[0]; "record")] | if . == [] then true else (.[] | halt_error) end
