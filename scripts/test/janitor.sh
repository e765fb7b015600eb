# janitor.sh FOLDER: cleans up after the process that holds its standard input, however that process ends.
# Kills every process whose TMPDIR is FOLDER or lies in it (Linux only: it reads /proc), then removes FOLDER and what
# the same process keeps in memory.
folder=$1
in_memory=/dev/shm/$(printf %s "$folder" | tr / '~')
trap '' HUP INT TERM
cat > /dev/null

left() { grep -lz "^TMPDIR=$folder" /proc/[0-9]*/environ 2> /dev/null | cut -d / -f 3; }

# More than once: one of them may have been starting another.
rounds=0
while pids=$(left) && [ -n "$pids" ] && [ $rounds -lt 100 ]; do
  kill -9 $pids
  rounds=$((rounds + 1))
  sleep 0.05
done 2> /dev/null

# What a test of full and read-only disks has had no time to undo.
undo() {
  chattr -R -i "$folder"
  grep -F " $folder" /proc/mounts | cut -d ' ' -f 2 | while read -r mounted; do umount -l "$mounted"; done
}

# More than once: a killed process may have a last write under way.
rounds=0
until rm -rf "$folder" "$in_memory"* || [ $rounds -ge 100 ]; do
  undo
  rounds=$((rounds + 1))
  sleep 0.05
done 2> /dev/null
