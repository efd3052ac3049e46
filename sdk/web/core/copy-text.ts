/**
 * Puts a text on the clipboard, in answer to a click or a key. Over plain http browsers have no
 * `navigator.clipboard`; the older way works there. @throws if the browser allows neither.
 */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text)
  if (!copyBySelection(text)) throw new Error('The browser did not allow copying.')
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'sr'
  // Nothing outside of an open dialog can be selected.
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  place.append(field)
  try {
    field.select()
    return document.execCommand('copy')
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
