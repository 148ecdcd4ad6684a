#!/bin/bash
# Fills a folder with what the Dockerfile needs of its base image, from the files of this machine: bash, the coreutils, glibc, Node and
# npm. So the Dockerfile can be built where no registry of images can be reached.
# usage: stand-in-base.sh FOLDER NODE
set -euo pipefail
root=$1 node=$2
mkdir -p "$root"/{etc/ssl/certs,tmp,root,home/node,proc,sys,dev,usr/bin,usr/lib/node_modules}
chmod 1777 "$root/tmp"
for folder in bin lib lib64; do
  mkdir -p "$root/usr/$folder"
  ln -s "usr/$folder" "$root/$folder"
done

copy_library() {
  mkdir -p "$root$(dirname "$1")"
  cp -nL "$1" "$root$1"
}
copy_program() {
  cp -L "$1" "$root/usr/bin/"
  ldd "$1" | grep -oE '/[^ ]+' | while read -r library; do copy_library "$library"; done
}
for program in bash cat chmod env id ls mkdir rm sleep touch; do copy_program "$(command -v "$program")"; done
copy_program "$node"
ln -s bash "$root/usr/bin/sh"
# Native modules need more of glibc than Node itself.
for library in $(dirname "$(ldd "$node" | grep -oE '/[^ ]+libc\.so\.6')")/lib{dl,m,pthread,rt,util,resolv}.so.*; do
  copy_library "$library"
done

# The npm that runs this script, wherever it is installed.
cp -rL "$(dirname "$(dirname "${npm_execpath:-$(npm root --global)/npm/bin/npm-cli.js}")")" "$root/usr/lib/node_modules/npm"
printf '#!/bin/sh\nexec node /usr/lib/node_modules/npm/bin/npm-cli.js "$@"\n' >"$root/usr/bin/npm"
chmod 755 "$root/usr/bin/npm"
printf 'root:x:0:0::/root:/bin/bash\nnode:x:1000:1000::/home/node:/bin/bash\n' >"$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' >"$root/etc/group"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
