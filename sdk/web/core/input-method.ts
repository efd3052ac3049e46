/**
 * Whether a key goes to an input method, as for Japanese or Chinese: Enter then picks a word, arrows choose,
 * Escape gives up. In Safari the composition has ended when its Enter arrives; the code 229 tells.
 */
export const isForInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229

let isNow = false

/** Whether an input method has just got a key: for what the browser itself does on a key, such as closing a dialog. */
export const hasInputMethodKey = (): boolean => isNow

/**
 * Keeps the keys of input methods from all other listeners of the page, so that no field sends, picks or
 * closes anything by them. Call it before anything listens. The terminal has the keys: it composes itself.
 */
export function keepInputMethodKeys(): void {
  let end = 0
  window.addEventListener(
    'keydown',
    (event) => {
      // Also before the time of the last key is over: this key is another one.
      clearTimeout(end)
      isNow = isForInputMethod(event)
      if (!isNow) return
      end = window.setTimeout(() => {
        isNow = false
      })
      if (event.target instanceof Element && event.target.closest('.xterm') !== null) return
      event.stopImmediatePropagation()
      // Nor does the browser submit a form or clear a search by a key that has ended the composition before.
      if (!event.isComposing && (event.key === 'Enter' || event.key === 'Escape')) event.preventDefault()
    },
    true,
  )
}
