import { createMemo, type JSX, Show } from 'solid-js'
import { currentPath, matchPath } from './router.js'

type Parameters<Names extends string> = { readonly [Name in Names]: string }

/** The names of the parameters in a pattern: `'id' | 'run'` of `/tasks/:id/runs/:run`. */
type NamesIn<Pattern extends string> = Pattern extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Pattern extends `${string}/:${infer Name}`
    ? Name
    : Pattern extends `${string}/*`
      ? 'rest'
      : never

/** The parameters of a pattern by name, decoded; `rest` is what `*` stands for. */
export type RouteParameters<Pattern extends string> = Parameters<NamesIn<Pattern>>

/** One place within a screen. */
export interface Route {
  /** Its path: `/tasks/:id/runs/:run`, `/files/*`. */
  readonly path: string
  /** Shows it. Made anew when a parameter changes. */
  readonly view: (parameters: Readonly<Record<string, string>>) => JSX.Element
}

/**
 * Makes a {@link Route}; the parameters have the names that are in the path.
 *
 * @example
 * route('/panels/tool-dice-table/:id', ({ id }) => <Roll id={id} />)
 */
export const route = <const Path extends string>(path: Path, view: (parameters: RouteParameters<Path>) => JSX.Element): Route => ({
  path,
  view: view as Route['view'],
})

/**
 * Shows the first route of a screen that fits the address. The panel names the screen's own routes, such as `/tasks` and `/tasks/*`;
 * these are the places below them.
 *
 * @example
 * export default function Dice(): JSX.Element {
 *   return (
 *     <Routes
 *       of={[
 *         route('/panels/tool-dice-table', () => <Rolls />),
 *         route('/panels/tool-dice-table/new', () => <Adding />),
 *         route('/panels/tool-dice-table/:id', ({ id }) => <Roll id={id} />),
 *       ]}
 *     />
 *   )
 * }
 */
export function Routes(props: {
  readonly of: readonly Route[]
  /** Where no route fits. */
  readonly fallback?: JSX.Element
}): JSX.Element {
  const found = createMemo(() => find(props.of, currentPath()), undefined, { equals: isSame })
  return (
    <Show when={found()} keyed fallback={props.fallback}>
      {({ view, parameters }) => view(parameters)}
    </Show>
  )
}

interface Found extends Route {
  readonly parameters: Readonly<Record<string, string>>
}

function find(routes: readonly Route[], path: string): Found | undefined {
  for (const each of routes) {
    const parameters = matchPath(each.path, path)
    if (parameters) return { ...each, parameters }
  }
  return undefined
}

const isSame = (one: Found | undefined, other: Found | undefined): boolean =>
  one?.path === other?.path && JSON.stringify(one?.parameters) === JSON.stringify(other?.parameters)
