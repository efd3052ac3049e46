import { addPaletteSource, addScreenCount, currentProfile, errorText, showToast } from '@agent-service/sdk/web'
import { createEffect } from 'solid-js'
import type { Counter } from './api.js'
import { counters, countUp } from './counters.js'
import { t } from './texts.js'

/** The number beside the screen in the navigation, and lines of the palette that count from wherever the person is. */
export function start(): void {
  addScreenCount('panel-tally', { count: () => counters.value().length, label: (count) => t('counted', { count }) })
  addPaletteSource({
    heading: { en: 'Count one more', de: 'Eins weiterzählen' },
    order: 70,
    find: async (query) =>
      counters
        .value()
        .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
        .map((counter) => ({ title: counter.name, icon: 'plus', note: String(counter.count), go: () => void count(counter) })),
  })
  createEffect(() => {
    if (currentProfile() === undefined) counters.change(() => [])
    else void counters.read()
  })
}

async function count(counter: Counter): Promise<void> {
  try {
    showToast(t('counted_up', { ...(await countUp(counter)) }))
  } catch (error) {
    showToast(errorText(error), { mark: 'fail' })
  }
}
