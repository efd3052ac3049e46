import { moneyText } from '@agent-service/sdk/web'
import { createSignal, For, type JSX, onCleanup, Show } from 'solid-js'
import { dayText } from './formats.js'
import type { Day, Usage } from './read-usage.js'
import { t } from './texts.js'

const frame = { height: 240, top: 24, bottom: 24 } as const
/** The least number of days that are shown. */
const minDays = 7
/** About how wide a character of a label is, in pixels. */
const characterWidth = 7

/**
 * Stacked bars of the cost per day, as wide as there is room, from the first day that cost
 * something. The table below says the same, so it is hidden from assistive technology.
 */
export function CostChart(props: { readonly usage: Usage }): JSX.Element {
  const [width, setWidth] = createSignal(0)
  const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
  onCleanup(() => observer.disconnect())
  return (
    <div class="usage-chart" ref={(element) => observer.observe(element)}>
      <Show when={width() > 0}>
        <Bars days={sinceFirstUse(props.usage.days)} width={width()} />
      </Show>
    </div>
  )
}

function Bars(props: { readonly days: readonly Day[]; readonly width: number }): JSX.Element {
  const most = (): number => Math.max(...props.days.map(({ total }) => total))
  const top = (): number => niceTop(most())
  /** Where nothing has cost anything, the ground says all there is. */
  const values = (): readonly number[] => (most() > 0 ? [0, 1 / 3, 2 / 3, 1] : [0]).map((share) => share * top())
  const start = (): number => Math.max(...values().map((value) => moneyText(value).length)) * characterWidth + 12
  const ground = frame.height - frame.bottom
  const heightOf = (value: number): number => (value / top()) * (ground - frame.top)
  const step = (): number => (props.width - start()) / props.days.length
  const bar = (): number => Math.min(48, step() * 0.84)
  const middle = (index: number): number => start() + (index + 0.5) * step()
  const peak = (): number => props.days.reduce((best, day, index, all) => (day.total > (all[best]?.total ?? 0) ? index : best), 0)
  const parts = (day: Day): readonly { readonly series: number; readonly y: number; readonly height: number }[] => {
    let y = ground
    return day.values.map((value, series) => {
      const height = heightOf(value)
      y -= height
      return { series, y, height: Math.max(0, height - 1.5) }
    })
  }
  return (
    <svg aria-hidden="true" width={props.width} height={frame.height}>
      <For each={values()}>
        {(value) => (
          <>
            <line x1={start()} x2={props.width} y1={ground - heightOf(value)} y2={ground - heightOf(value)} />
            <text x={start() - 8} y={ground - heightOf(value) + 4} text-anchor="end">
              {moneyText(value)}
            </text>
          </>
        )}
      </For>
      <For each={props.days}>
        {(day, index) => (
          <g>
            <title>{`${dayText(day.day)}: ${moneyText(day.total)}`}</title>
            <rect class="usage-hit" x={start() + index() * step()} y={frame.top} width={step()} height={ground - frame.top} />
            <For each={parts(day).filter(({ height }) => height > 0)}>
              {(part) => (
                <rect
                  class={`usage-fill-${part.series + 1}`}
                  x={middle(index()) - bar() / 2}
                  y={part.y}
                  width={bar()}
                  height={part.height}
                  rx="1.5"
                />
              )}
            </For>
          </g>
        )}
      </For>
      <For each={labelled(props.days.length, Math.floor((props.width - start()) / 72))}>
        {(index) => (
          <text x={placeOf(middle(index), start(), props.width)} y={frame.height - 6} text-anchor="middle">
            {dayText(props.days[index]?.day ?? '')}
          </text>
        )}
      </For>
      <Show when={most() > 0 && props.days[peak()]}>
        {(day) => (
          <text
            class="usage-peak"
            x={placeOf(middle(peak()), start() + 32, props.width - 32)}
            y={Math.max(12, ground - heightOf(day().total) - 8)}
            text-anchor="middle"
          >
            {t('peak', { day: dayText(day().day), cost: moneyText(day().total) })}
          </text>
        )}
      </Show>
    </svg>
  )
}

/** The days from the first one that cost something, but no fewer than a week. */
function sinceFirstUse(days: readonly Day[]): readonly Day[] {
  const first = days.findIndex(({ total }) => total > 0)
  return days.slice(Math.max(0, Math.min(first < 0 ? 0 : first, days.length - minDays)))
}

/** So that half a label, about 24 pixels, does not leave the drawing. */
const placeOf = (x: number, start: number, end: number): number => Math.max(start + 16, Math.min(x, end - 24))

/** The series with their colours and totals. */
export function Legend(props: { readonly usage: Usage }): JSX.Element {
  return (
    <ul class="usage-legend" aria-label={t('by_model')}>
      <For each={props.usage.series}>
        {(series, index) => (
          <li>
            <i class={`usage-back-${index() + 1}`} aria-hidden="true" />
            <bdi>{series.name ?? t('others')}</bdi> <span class="t2 num">{moneyText(series.total)}</span>
          </li>
        )}
      </For>
    </ul>
  )
}

/** At most five labels at equal distances, and no more than there is room for; the last day among them. */
function labelled(count: number, room: number): readonly number[] {
  const gaps = Math.max(1, Math.min(4, count - 1, room - 1))
  const step = Math.max(1, Math.ceil((count - 1) / gaps))
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => count - 1 - index * step)
}

/** The next value above that divides well by three: 3, 6, 15, 30 and so on. */
function niceTop(value: number): number {
  if (value <= 0) return 3
  const power = 10 ** Math.floor(Math.log10(value / 3))
  const factor = [1, 2, 5, 10].find((each) => each * power * 3 >= value) ?? 10
  return factor * power * 3
}
