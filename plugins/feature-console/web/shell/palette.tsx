import { Icon, isAdmin, navigate, type PaletteHit, type PaletteSource, textOf } from '@agent-service/sdk/web'
import { allCommands, keyLabels, Modal, paletteSources } from '@agent-service/sdk/web/host'
import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, onCleanup, Show } from 'solid-js'
import { screens } from '../app/screens.js'
import { t } from './texts.js'

interface Group {
  readonly heading: string
  readonly hits: readonly Hit[]
}

interface Hit extends PaletteHit {
  readonly keys?: string
}

/** Search and commands: arrows choose, Enter opens. */
export function Palette(props: { readonly onClose: () => void }): JSX.Element {
  const [query, setQuery] = createSignal('')
  const [found, setFound] = createSignal<readonly Group[]>([])
  const [current, setCurrent] = createSignal(0)
  const id = createUniqueId()
  const groups = createMemo((): readonly Group[] => [...found(), ...ownGroups(query())].filter((group) => group.hits.length > 0))
  const flat = createMemo(() => groups().flatMap((group) => group.hits))

  createEffect(() => {
    const [text, sources] = [query().trim(), paletteSources()]
    const controller = new AbortController()
    const timer = setTimeout(
      () => void findIn(text, sources, controller.signal).then((all) => controller.signal.aborted || setFound(all)),
      120,
    )
    onCleanup(() => {
      clearTimeout(timer)
      controller.abort()
    })
    setCurrent(0)
  })

  const run = (hit: Hit | undefined): void => {
    if (!hit) return
    props.onClose()
    if (typeof hit.go === 'string') void navigate(hit.go)
    else hit.go()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setCurrent((now) => (now + step + flat().length) % Math.max(1, flat().length))
      document.getElementById(`${id}-${current()}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(flat()[current()])
    }
  }
  return (
    <Modal class="palette" label={t('palette')} fixed={false} onClose={props.onClose}>
      <div class="q">
        <Icon name="search" large />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={flat().length > 0 ? `${id}-${current()}` : undefined}
          aria-label={t('palette')}
          placeholder={t('palette')}
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={query()}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div class="hits" id={id} role="listbox" aria-label={t('commands')}>
        <For each={groups()}>
          {(group) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options
            <div role="group" aria-label={group.heading}>
              <div class="h3" aria-hidden="true">
                {group.heading}
              </div>
              <For each={group.hits}>
                {(hit) => (
                  // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
                  <div
                    class="hit"
                    role="option"
                    id={`${id}-${flat().indexOf(hit)}`}
                    aria-selected={flat().indexOf(hit) === current()}
                    onPointerMove={() => setCurrent(flat().indexOf(hit))}
                    onClick={() => run(hit)}
                    onKeyDown={onKeyDown}
                  >
                    <Icon name={hit.icon} />
                    <span class="cut">
                      <Matched text={hit.title} query={query()} />
                    </span>
                    <span class="meta">
                      <Show when={hit.keys} fallback={hit.note}>
                        {(keys) => <For each={keyLabels(keys())}>{(label) => <kbd>{label}</kbd>}</For>}
                      </Show>
                    </span>
                  </div>
                )}
              </For>
            </div>
          )}
        </For>
        <Show when={flat().length === 0 && query() !== ''}>
          <p class="h3">{t('no_results', { query: query() })}</p>
        </Show>
      </div>
      <footer class="hide-s">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('palette_choose')}
        </span>
        <span>
          <kbd>Enter</kbd> {t('palette_open')}
        </span>
        <span class="grow" />
        <span>
          <kbd>?</kbd> {t('shortcuts')}
        </span>
      </footer>
    </Modal>
  )
}

function Matched(props: { readonly text: string; readonly query: string }): JSX.Element {
  const at = (): number => (props.query === '' ? -1 : props.text.toLowerCase().indexOf(props.query.trim().toLowerCase()))
  const end = (): number => at() + props.query.trim().length
  return (
    <Show when={at() >= 0} fallback={props.text}>
      {props.text.slice(0, at())}
      <mark>{props.text.slice(at(), end())}</mark>
      {props.text.slice(end())}
    </Show>
  )
}

async function findIn(query: string, sources: readonly PaletteSource[], signal: AbortSignal): Promise<readonly Group[]> {
  if (query === '') return []
  const results = await Promise.all(
    sources.map(async ({ heading, find }) => ({
      heading: textOf(heading),
      hits: (await find(query, signal).catch(() => [])).slice(0, 10),
    })),
  )
  return results
}

function ownGroups(query: string): readonly Group[] {
  const text = query.trim().toLowerCase()
  const fits = (...words: readonly (string | undefined)[]): boolean => words.some((word) => word?.toLowerCase().includes(text))
  const places = screens().filter((screen) => screen.group !== 'none' && (!screen.admin || isAdmin()))
  return [
    {
      heading: t('go_to'),
      hits: places
        .filter((screen) => fits(textOf(screen.title), screen.keywords && textOf(screen.keywords)))
        .map((screen) => ({ title: textOf(screen.title), icon: screen.icon ?? 'chevron-right', go: screen.routes[0] ?? '/' })),
    },
    {
      heading: t('commands'),
      hits: allCommands()
        .filter(({ isAvailable }) => isAvailable?.() ?? true)
        .filter((command) => command.id !== 'palette' && !command.id.startsWith('go.') && fits(textOf(command.title)))
        .map((command) => ({
          title: textOf(command.title),
          icon: 'command' as const,
          go: command.run,
          ...(command.keys && { keys: command.keys }),
        })),
    },
  ]
}
