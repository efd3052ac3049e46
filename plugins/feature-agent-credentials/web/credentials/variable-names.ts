/** `GITHUB_TOKEN`: the variable that the service makes of both names. It decides whether that may be one. */
export const suggestedVariable = (credential: string, field: string): string =>
  `${credential}_${field}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')

/** What an agent may call something by, from a title for people, as the service makes it. */
export function nameFrom(title: string): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
  const name = plain
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')
  return name === '' ? 'credential' : name
}
