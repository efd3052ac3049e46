import { type JSX, Match, onCleanup, Switch } from 'solid-js'
import { send } from '../../api/client.js'
import { createLoaded } from '../../api/loaded.js'
import type { Schemas } from '../../api/types.js'
import { bytesText, momentText } from '../../i18n/formats.js'
import { ButtonLink } from '../../ui/button.js'
import { Sheet } from '../../ui/dialog.js'
import { Failure, Skeleton } from '../../ui/states.js'
import { t } from './texts.js'

const maxTextBytes = 200_000
const maxImageBytes = 10_000_000
const images = /\.(png|jpe?g|gif|webp)$/i

export const addressOfFile = (path: string): string => `/api/files/content?path=${encodeURIComponent(path)}`

type Content = { readonly text: string } | { readonly image: string } | { readonly none: 'binary' | 'large' }

/**
 * Shows the beginning of a file as plain text, or an image as pixels. Nothing of a file is ever
 * rendered as markup or opened as a page of this origin.
 */
export function Preview(props: { readonly file: Schemas['ListedFile']; readonly onClose: () => void }): JSX.Element {
  const addresses: string[] = []
  onCleanup(() => addresses.forEach((address) => void URL.revokeObjectURL(address)))
  const content = createLoaded<Content>(async (signal) => {
    const { path, size, name } = props.file
    if (images.test(name)) {
      if (size > maxImageBytes) return { none: 'large' }
      const answer = await send('get', '/api/files/content', { query: { path }, signal })
      const address = URL.createObjectURL(await answer.blob())
      addresses.push(address)
      return { image: address }
    }
    const headers = size > maxTextBytes ? { range: `bytes=0-${maxTextBytes - 1}` } : {}
    const answer = await send('get', '/api/files/content', { query: { path }, headers, signal })
    const text = new TextDecoder().decode(await answer.arrayBuffer())
    return text.includes('\0') ? { none: 'binary' } : { text }
  })
  const found = <Key extends 'text' | 'image' | 'none'>(key: Key): string | undefined => {
    const value = content.value()
    return value && key in value ? String((value as Record<string, unknown>)[key]) : undefined
  }
  return (
    <Sheet
      title={props.file.name}
      onClose={props.onClose}
      footer={
        <ButtonLink href={addressOfFile(props.file.path)} icon="download" download={props.file.name}>
          {t('download')}
        </ButtonLink>
      }
    >
      <p class="meta files-facts">
        {bytesText(props.file.size)} · {momentText(props.file.modified_at)}
      </p>
      <Switch fallback={<Skeleton lines={8} />}>
        <Match when={content.error()}>{(error) => <Failure error={error()} onRetry={() => void content.reload()} />}</Match>
        <Match when={found('image')}>{(address) => <img class="files-image" src={address()} alt={props.file.name} />}</Match>
        <Match when={found('none')}>{(reason) => <p class="t2">{t(reason() === 'large' ? 'too_large' : 'no_preview')}</p>}</Match>
        <Match when={found('text') !== undefined}>
          <pre class="files-text">{found('text')}</pre>
        </Match>
      </Switch>
    </Sheet>
  )
}
