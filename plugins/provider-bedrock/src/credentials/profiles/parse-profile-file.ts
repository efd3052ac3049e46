/** The settings of one section, names in lower case. */
export type ProfileSettings = ReadonlyMap<string, string>

/**
 * The sections of a file, by the text between their brackets with single spaces and without quotes:
 * `default`, `profile work`, `sso-session office`.
 */
export type ProfileSections = ReadonlyMap<string, ProfileSettings>

/**
 * Reads the format of AWS configuration files. Lines that begin with `#` or `;` and what follows
 * one after a space are comments; indented lines belong to the setting above and say nothing here;
 * lines that are neither a section nor a setting are ignored, as AWS tools do. Of sections and
 * settings that occur twice the later ones win.
 */
export function parseProfileFile(text: string): ProfileSections {
  const sections = new Map<string, Map<string, string>>()
  let current: Map<string, string> | undefined
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (/^\s*([#;]|$)/.test(line)) continue
    const name = sectionName(line)
    if (name !== undefined) {
      current = sections.get(name) ?? new Map()
      sections.set(name, current)
      continue
    }
    const border = line.indexOf('=')
    if (/^\s/.test(line) || border < 1 || !current) continue
    current.set(line.slice(0, border).trim().toLowerCase(), withoutComment(line.slice(border + 1)))
  }
  return sections
}

function sectionName(line: string): string | undefined {
  const inner = /^\[([^\]]*)\]/.exec(line)?.[1]
  return inner
    ?.trim()
    .replace(/\s+/g, ' ')
    .replace(/(^| )(["'])(.*)\2$/, '$1$3')
}

const withoutComment = (value: string): string => value.replace(/\s[#;].*$/, '').trim()
