/**
 * What a person says in a message in their own words: without blocks of code, quoted lines and
 * forwarded messages, which others may have written.
 */
export function ownWords(text: string): string {
  const forwarded = forwardedMark.exec(text)
  const own = forwarded === null ? text : text.slice(0, forwarded.index)
  return own
    .replaceAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm, '\n')
    .split('\n')
    .filter((line) => !/^\s{0,3}>/.test(line))
    .join('\n')
}

/** The line at which mail programs begin to repeat what others have written. */
const forwardedMark =
  /^[ \t]*(?:-{2,}[ \t]*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)\b|begin forwarded message:|on [^\n]{5,200} wrote:[ \t]*$|am [^\n]{5,200} schrieb[^\n]{0,200}:[ \t]*$)/im
