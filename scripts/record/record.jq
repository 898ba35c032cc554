# The record of one job in one boot: facts (kv.sh) about everything around it,
# and its runs. Input: what fio.sh kept of each run, a record separator after each.
include "kv";
include "fio";

(split("\u001e\n")[:-1] | map(rows($icount)) | add // []) as $runs
| ($facts_text | kv) as $facts
| {
    schema: 1,
    id: $facts.id,
    time: $facts.time,
    boot_id: $facts.boot_id,
    note: $facts.note,
    failed: (if any($runs[]; .error == null) then null else $runs[0].error // "nothing was run" end),
    guest: $facts.guest,
    host: $facts.host,
    kernel: $facts.kernel,
    device: ($facts.device // []),
    software: $facts.software,
    tune: $facts.tune,
    job: ($facts.job + {text: $job_text}),
    runs: $runs
  }
# What only an engine can ask a device, from its report.
| ([.runs[].reports[]?.files[]?] | map({key: .name, value: .}) | from_entries) as $files
| .device |= map(($files["/dev/" + .name] // {}) as $f
    | .serial //= $f.serial | .model //= $f.model | .firmware //= $f.firmware
    | .nsid //= $f.nsid | .lba_size //= $f.lba_size
    | .metadata_size //= $f.metadata_size)
