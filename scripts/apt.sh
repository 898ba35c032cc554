# shellcheck shell=bash disable=SC2154
# Packages and sources of other Debian suites, without touching this machine's
# apt: each suite has its own configuration and state under the cache, and its
# host is whatever this machine's own sources name. Source it after lib.sh.
#
#	apt_private trixie || die "$(apt_private_why trixie)"
#	apt_private_cache trixie show fio
#	apt_private_get trixie download fio=VERSION	# into the current folder
#	apt_private_get src:trixie source --download-only fio
#
# SUITE means its binary packages, src:SUITE its source packages (a list of
# its own: most callers need only one of the two, and each is megabytes).

# Where kernels and fio sources are looked for, oldest first.
# shellcheck disable=SC2034
apt_suites=(bookworm bookworm-security bookworm-backports
	trixie trixie-security trixie-backports forky sid)

_apt_dir() { printf '%s/apt/%s\n' "$iou_cache" "${1/:/-}"; }
# For a program that must be given apt's configuration itself (-c FILE).
apt_private_conf() { printf '%s/apt.conf\n' "$(_apt_dir "$1")"; }

# The archive this machine itself uses, for SUITE. apt reads both kinds of
# sources files for us, and needs no fetched lists for it. Other archives may
# use the same suite names: one that looks like a Debian mirror is preferred.
_apt_uri() {
	local security=0
	case $1 in *-security) security=1 ;; esac
	# shellcheck disable=SC2016
	apt-get indextargets --no-release-info 'Created-By: Packages' \
		--format '$(COMPONENT) $(RELEASE) $(REPO_URI)' |
	awk -v security="$security" '
		$1 != "main" || ($2 ~ /-security$/) != security { next }
		{
			score = 1 + ($3 ~ /\/debian(-security)?\//)
			if (score > best) { best = score; uri = $3 }
		}
		END { print uri }'
}

_apt_keyring() {
	local f
	for f in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
		[ ! -r "$f" ] || { printf ' signed-by=%s\n' "$f"; return; }
	done
}

_apt_configure() {
	local suite=$1 dir=$2 kind=deb name uri
	case $suite in src:*) kind=deb-src ;; esac
	name=${suite#src:}
	uri=$(_apt_uri "$name")
	[ -n "$uri" ] || { echo "no source in this machine's apt is for it" >"$dir/why"; return 1; }
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
	: >"$dir/status"
	printf '%s [arch=%s%s] %s %s main\n' "$kind" "$(dpkg --print-architecture)" \
		"$(_apt_keyring)" "$uri" "$name" >"$dir/sources.list"
	# Proxies and credentials stay this machine's; pins, hooks and the list
	# of installed packages do not. The sandbox user cannot enter a cache
	# below /root; what is fetched is signed all the same.
	cat >"$dir/apt.conf" <<-EOC
		Dir::State "$dir";
		Dir::State::lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache";
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		APT::Default-Release "";
		APT::Sandbox::User "root";
		APT::Update::Error-Mode "any";
		Acquire::Languages "none";
		Acquire::Retries "2";
		#clear APT::Update::Pre-Invoke;
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		#clear DPkg::Post-Invoke;
	EOC
}

# apt_private [--update] SUITE: make SUITE usable; its lists are fetched when
# they are older than an hour, or when --update says so. Quiet; returns 1 when
# the suite can't be had, and apt_private_why SUITE says why.
apt_private() {
	local force="" dir lock
	[ "$1" != --update ] || { force=1; shift; }
	have apt-get || die "apt-get is missing: kernels and sources come from a Debian archive"
	dir=$(_apt_dir "$1")
	mkdir -p "$dir"
	exec {lock}>"$dir/lock"
	flock "$lock"
	[ -z "$force" ] || rm -f "$dir/fresh" "$dir/why"
	# A suite that failed a while ago is asked again, as lists are.
	find "$dir/fresh" "$dir/why" -mmin +60 -delete 2>/dev/null || :
	[ -e "$dir/fresh" ] || [ -e "$dir/why" ] || _apt_update "$1" "$dir"
	exec {lock}>&-
	[ -e "$dir/fresh" ] || compgen -G "$dir/lists/*Release" >/dev/null
}

_apt_update() {
	local suite=$1 dir=$2
	_apt_configure "$suite" "$dir" || return 0
	if apt-get -q -c "$dir/apt.conf" update >"$dir/log" 2>&1 </dev/null; then
		: >"$dir/fresh"
	else
		# Lists of an earlier day, if any, go on serving.
		sed -n 's/^[EW]: *//p' "$dir/log" | head -n 1 >"$dir/why"
	fi
}

apt_private_why() {
	local dir
	dir=$(_apt_dir "$1")
	printf 'the Debian suite %s is not available: %s\n' "$1" \
		"$(cat "$dir/why" 2>/dev/null || echo 'not asked for yet')"
}

# apt-get and apt-cache on SUITE alone; "download" and "source" write into the
# current folder.
apt_private_get() {
	local suite=$1; shift
	apt-get -q -c "$(apt_private_conf "$suite")" "$@" </dev/null
}
apt_private_cache() {
	local suite=$1; shift
	apt-cache -c "$(apt_private_conf "$suite")" "$@"
}
