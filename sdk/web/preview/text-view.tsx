import '../highlight/code.css'
import { createEffect, createSignal, type JSX, onCleanup } from 'solid-js'
import { loadPart } from '../core/load-part.js'
import type { ColouredText } from '../highlight/coloured-text.js'

/** Text and code, in colours where its language has them. JSON in one line is set in many. */
export function TextView(props: { readonly text: string; readonly name: string; readonly isCut: boolean }): JSX.Element {
  const code = document.createElement('code')
  code.translate = false
  const [coloured, setColoured] = createSignal<ColouredText>()
  loadPart(() => import('../highlight/coloured-text.js')).then(
    ({ ColouredText }) => void setColoured(new ColouredText(code)),
    // Without colours it can be read as well.
    () => undefined,
  )
  const text = (): string => (/\.json$/i.test(props.name) && !props.isCut ? jsonInLines(props.text) : props.text)
  createEffect(() => {
    const writer = coloured()
    if (writer) writer.write(text(), true)
    else code.textContent = text()
  })
  createEffect(() => void coloured()?.colourAs(languageOf(props.name)))
  onCleanup(() => coloured()?.stop())
  return (
    <figure class="code wrapped preview-text foreign">
      <pre tabindex="0">{code}</pre>
    </figure>
  )
}

const languageOf = (name: string): string => (/^dockerfile$/i.test(name) ? 'dockerfile' : (/\.(\w+)$/.exec(name)?.[1] ?? ''))

/** A JSON text with a line for each member, if it says exactly the same then. */
function jsonInLines(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const compact = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
    return JSON.stringify(value) === compact ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}
