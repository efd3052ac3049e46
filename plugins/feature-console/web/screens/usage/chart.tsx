import { For, type JSX, Show } from 'solid-js'
import { dayText, moneyText } from './formats.js'
import type { Day, Usage } from './read-usage.js'
import { t } from './texts.js'

const frame = { width: 1000, height: 260, start: 56, top: 28, bottom: 28 } as const

/** Stacked bars of the cost per day. The table below says the same, so it is hidden from assistive technology. */
export function CostChart(props: { readonly usage: Usage }): JSX.Element {
  const top = (): number => niceTop(Math.max(...props.usage.days.map(({ total }) => total)))
  const ground = frame.height - frame.bottom
  const heightOf = (value: number): number => (value / top()) * (ground - frame.top)
  const step = (): number => (frame.width - frame.start) / props.usage.days.length
  const left = (index: number): number => frame.start + index * step() + step() * 0.08
  const peak = (): number => props.usage.days.reduce((best, day, index, all) => (day.total > (all[best]?.total ?? 0) ? index : best), 0)
  const parts = (day: Day): readonly { readonly series: number; readonly y: number; readonly height: number }[] => {
    let y = ground
    return day.values.map((value, series) => {
      const height = heightOf(value)
      y -= height
      return { series, y, height: Math.max(0, height - 1.5) }
    })
  }
  return (
    <div class="usage-chart">
      <svg aria-hidden="true" viewBox={`0 0 ${frame.width} ${frame.height}`}>
        <For each={[0, 1 / 3, 2 / 3, 1]}>
          {(share) => (
            <>
              <line
                x1={frame.start}
                x2={frame.width}
                y1={ground - share * (ground - frame.top)}
                y2={ground - share * (ground - frame.top)}
              />
              <text x={frame.start - 8} y={ground - share * (ground - frame.top) + 4} text-anchor="end">
                {moneyText(share * top())}
              </text>
            </>
          )}
        </For>
        <For each={props.usage.days}>
          {(day, index) => (
            <g>
              <title>{`${dayText(day.day)}: ${moneyText(day.total)}`}</title>
              <rect class="usage-hit" x={frame.start + index() * step()} y={frame.top} width={step()} height={ground - frame.top} />
              <For each={parts(day).filter(({ height }) => height > 0)}>
                {(part) => (
                  <rect
                    class={`usage-fill-${part.series + 1}`}
                    x={left(index())}
                    y={part.y}
                    width={step() * 0.84}
                    height={part.height}
                    rx="1.5"
                  />
                )}
              </For>
            </g>
          )}
        </For>
        <For each={labelled(props.usage.days.length)}>
          {(index) => (
            <text x={frame.start + (index + 0.5) * step()} y={frame.height - 6} text-anchor={anchorOf(index, props.usage.days.length)}>
              {dayText(props.usage.days[index]?.day ?? '')}
            </text>
          )}
        </For>
        <Show when={props.usage.days[peak()]}>
          {(day) => (
            <text
              class="usage-peak"
              x={frame.start + (peak() + 0.5) * step()}
              y={Math.max(12, ground - heightOf(day().total) - 8)}
              text-anchor={anchorOf(peak(), props.usage.days.length)}
            >
              {t('peak', { day: dayText(day().day), cost: moneyText(day().total) })}
            </text>
          )}
        </Show>
      </svg>
    </div>
  )
}

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

/** About four labels, the first and the last among them. */
function labelled(count: number): readonly number[] {
  const gaps = Math.min(4, count - 1)
  return [...new Set(Array.from({ length: gaps + 1 }, (_, index) => Math.round((index * (count - 1)) / gaps)))]
}

const anchorOf = (index: number, count: number): 'start' | 'middle' | 'end' =>
  index > count * 0.85 ? 'end' : index < count * 0.08 ? 'start' : 'middle'

/** The next value above that divides well by three: 3, 6, 15, 30 and so on. */
function niceTop(value: number): number {
  if (value <= 0) return 3
  const power = 10 ** Math.floor(Math.log10(value / 3))
  const factor = [1, 2, 5, 10].find((each) => each * power * 3 >= value) ?? 10
  return factor * power * 3
}
