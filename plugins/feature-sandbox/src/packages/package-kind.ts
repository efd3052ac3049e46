/** The language that a package is for. */
export type PackageKind = 'python' | 'node'

/** How the packages of a language are kept in a workspace. Paths are below the workspace. */
export interface PackageLayout {
  /** For people: “Python”. */
  readonly title: string
  /** The packages that were asked for, one a line. There once the environment was made. */
  readonly list: string
  /** There while an installation changes the environment; left behind by one that was cut off. */
  readonly mark: string
  /** There in a whole environment. */
  readonly sign: string
  /** The arguments before the packages: a program of sh and what it needs. */
  readonly command: readonly [program: string, ...given: string[]]
  /** Added to the environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** Where the lists, the marks, and what installations need for a while are kept. */
export const stateFolder = '.packages'

/**
 * What can be installed, as a regular expression: a name, or a path; no option of pip or npm, and no
 * address or repository, of which no age is known.
 */
export const packageName = '^(?:\\.{0,2}/[^\\s:]+|(?:@[^\\s/:@]+/)?[^-\\s/:@.][^\\s/:]*)$'

/** The same for grep. */
const packageNameOfGrep = packageName.replaceAll('(?:', '(').replaceAll('\\s', '[:space:]')

/** Where the programs of packages are, before those of the machine. */
export const packagePaths: readonly string[] = ['.venv/bin', 'node_modules/.bin']

/** The line by which an installation reports its next step. */
export const stepMark = '::step '

/** The step by which an installation reports a package that is gone. */
export const leftOut = 'Left out, because it cannot be installed again: '

/**
 * The beginning of both installations: a folder for the time being, and what they both do. The list lies
 * where files are written without a question, so a line of it is taken only if it could be asked for.
 */
export const shellBegin = (kind: PackageKind): string => `exec 2>&1
cd "$HOME" || exit 1
state=${stateFolder}
export TMPDIR="\${TMPDIR:-/tmp}/packages-${kind}"
rm -rf "$TMPDIR"
mkdir -p "$state" "$TMPDIR" || exit 1
trap 'rm -rf "$TMPDIR"' EXIT
step() { printf '${stepMark}%s\\n' "$*"; }
killed() { case $1 in 130 | 137 | 143) true ;; *) false ;; esac; }
again() {
  step 'Installing the packages again'
  named='${packageNameOfGrep}'
  grep -vE -e "$named" "$list" | while IFS= read -r each; do step "${leftOut}$each"; done
  grep -E -e "$named" "$list" > "$list.named" || [ "$?" = 1 ] || exit 1
  mv "$list.named" "$list"
  [ -s "$list" ] || return 0
  (set --; while IFS= read -r each; do set -- "$@" "$each"; done < "$list"; install "$@") && return
  ! killed $? || exit 1
  mv "$list" "$list.before" && : > "$list"
  while IFS= read -r each <&3; do
    if install "$each"; then remember "$each"; else
      ! killed $? || { mv "$list.before" "$list"; exit 1; }
      step "${leftOut}$each"
    fi
  done 3< "$list.before"
  rm -f "$list.before"
}
remember() { for each; do grep -qxF -- "$each" "$list" 2>/dev/null || printf '%s\\n' "$each" >> "$list"; done; }`
