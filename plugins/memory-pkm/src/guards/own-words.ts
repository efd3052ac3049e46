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

/**
 * The lines at which mail programs begin to repeat what others have written. They are of many languages, so
 * a heading between dashes and a line with an address and a date are such lines whatever their words are.
 */
const marks = [
  String.raw`-{2,}[ \t]*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht)`,
  String.raw`-{5,}[ \t]*[^\s-][^\n]{1,80}-{5,}[ \t]*$`,
  String.raw`(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht)\s?:`,
  String.raw`on [^\n]{5,200} wrote:[ \t]*$`,
  String.raw`am [^\n]{5,200} schrieb[^\n]{0,200}:[ \t]*$`,
  String.raw`(?:le|el|il|op|em|den) [^\n]{5,200} (?:a écrit|escribió|ha scritto|schreef|escreveu|skrev)[^\n]{0,80}:[ \t]*$`,
  String.raw`(?=[^\n]*\d)[^\n]{5,200}@[^\n]{3,200}[:：][ \t]*$`,
  String.raw`\*?(?:from|von|de|da|van|от|发件人|差出人)\*?\s?[:：]\*?[ \t]*[^\n]{0,200}@`,
]
const forwardedMark = new RegExp(`^[ \\t]*(?:${marks.join('|')})`, 'im')
