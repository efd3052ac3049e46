/**
 * The code that allows making the first account from anywhere, as the service printed it at its
 * start.
 */
export function setUpCodeOf({ log }: { readonly log: readonly unknown[] }): string {
  const code = /\b[a-z2-9]{5}(?:-[a-z2-9]{5}){3}\b/.exec(JSON.stringify(log))?.[0]
  if (code === undefined) throw new Error('The service printed no code.')
  return code
}
