import type { Problem } from '../../core/errors.js'
import { Type } from '../../core/type.js'
import { aName, checkShape } from '../shape/check-shape.js'

/** Files that are loaded together, by their names in the built folder. */
export interface BuiltPart {
  /** A JavaScript module, `tasks-3f2a9c81.js`. Of a screen its default export is the component. */
  readonly module: string
  /** The style sheets that it needs, in their order. */
  readonly styles: readonly string[]
  /** The modules that it imports, those which they import too: fetched together, they wait for each other once. */
  readonly imports: readonly string[]
  /** The parts of the kit that they import beside the first: `markdown` is `@agent-service/sdk/web/markdown`. Default: none. */
  readonly kit?: readonly string[]
}

/** One screen of a package. */
export interface BuiltScreen extends BuiltPart {
  /**
   * A module with a function `start`, called once when somebody has signed in who may see the panel. Default: the screen
   * does nothing before it is opened.
   */
  readonly start?: BuiltPart
}

/**
 * What `screens.json` in a built folder says of it; the build writes it. The files lie in the folder itself, without
 * folders in it; their names have letters, digits, `_`, `.` and `-`, and begin with no dot.
 */
export interface BuiltScreens {
  /** The generation of this file. */
  readonly specVersion: 1
  /** By name, in kebab-case. */
  readonly screens: Readonly<Record<string, BuiltScreen>>
}

/** The name of the file that says what a built folder has. */
export const builtScreensFile = 'screens.json'

/** The names of screens. */
export const screenName = /^(?=.{1,60}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/
/** The names of files in a built folder. */
export const builtFileName = /^(?=.{1,200}$)\w[\w.-]*$/

const file = (ending: 'js' | 'css') =>
  aName(
    new RegExp(`${builtFileName.source.slice(0, -1)}\\.${ending}$`),
    `the name of a file in the folder, such as tasks-3f2a9c81.${ending}`,
  )

const part = {
  module: file('js'),
  styles: Type.Array(file('css'), { maxItems: 100 }),
  imports: Type.Array(file('js'), { maxItems: 500 }),
  kit: Type.Optional(Type.Array(aName(/^[a-z]{1,40}$/, 'the name of a part of the kit, such as markdown'), { maxItems: 50 })),
}
const screen = Type.Object(
  { ...part, start: Type.Optional(Type.Object(part, { additionalProperties: false })) },
  { additionalProperties: false },
)

const shape = Type.Object({
  specVersion: Type.Literal(1),
  screens: Type.Record(Type.String({ pattern: screenName.source }), screen, { additionalProperties: false, maxProperties: 200 }),
})

/** Everything that is wrong with the content of `screens.json`, each with a JSON pointer. Reads no file. Never throws. */
export const checkBuiltScreens = (value: unknown): readonly Problem[] => checkShape(shape, value)

/** Every file that a screen names, each once. */
export function filesOfScreen({ start, ...screen }: BuiltScreen): readonly string[] {
  const parts = start === undefined ? [screen] : [screen, start]
  return [...new Set(parts.flatMap(({ module, styles, imports }) => [module, ...styles, ...imports]))]
}
