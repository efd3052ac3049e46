import { named, namedObject, Type } from '@agent-service/sdk'

const text = named(
  'ConsolePanelText',
  Type.Record(Type.String(), Type.String(), { description: 'By language; “en” is there.', examples: [{ en: 'Dice', de: 'Würfel' }] }),
)

const section = namedObject(
  'ConsolePanelSection',
  { kind: Type.String({ description: 'text, values, table, form, settings or actions.', examples: ['values'] }) },
  { additionalProperties: true, description: 'As the plugin contributed it; `settings` has the path of the configuration in `section`.' },
)

const files = Type.Array(Type.String({ examples: ['/assets/plugins/feature-tasks/shared-5b1d0e7a.js'] }))

const part = {
  module: Type.String({ examples: ['/assets/plugins/feature-tasks/tasks-3f2a9c81.js'] }),
  styles: files,
  imports: files,
  kit: Type.Array(Type.String({ examples: ['markdown'] }), { description: 'The parts of the kit that it imports, beside the first.' }),
}

const screen = namedObject(
  'ConsolePanelScreen',
  {
    kind: Type.Literal('screen'),
    ...part,
    start: Type.Union([namedObject('ConsolePanelStart', part), Type.Null()], {
      description: 'What runs once when somebody has signed in, if the screen has it.',
    }),
  },
  {
    description:
      'The addresses of a screen that runs in the page of the console: its module, the styles that it needs, and the modules that it imports.',
  },
)

/** A panel as the console gets it: no path of this machine is in it. */
export const consolePanelSchema = namedObject('ConsolePanel', {
  id: Type.String({ examples: ['tool-dice'] }),
  plugin_id: Type.String({ examples: ['tool-dice'] }),
  title: text,
  description: Type.Union([text, Type.Null()]),
  icon: Type.String({ examples: ['plug'] }),
  group: Type.Union(
    (['main', 'personal', 'admin', 'none', 'user', 'set_up'] as const).map((group) => Type.Literal(group)),
    {
      description: 'Where it is shown; `none`: not in the navigation; `user`: a tab on the page of a user; `set_up`: a step of the set-up.',
    },
  ),
  order: Type.Integer({ examples: [50] }),
  keywords: Type.Union([text, Type.Null()], { description: 'Words under which the palette finds it too.' }),
  page_routes: Type.Array(Type.String({ examples: ['/panels/tool-dice'] }), {
    description: 'The patterns of the paths of its pages: `:` begins a parameter, `*` is the rest of a path. Empty for a tab or a step.',
  }),
  content: Type.Union([
    namedObject('ConsolePanelSections', { kind: Type.Literal('sections'), sections: Type.Array(section) }),
    namedObject('ConsolePanelComponent', { kind: Type.Literal('component'), element: Type.String({ examples: ['dice-board'] }) }),
    screen,
  ]),
  routes: Type.Array(
    namedObject('ConsolePanelRoute', {
      method: Type.String({ examples: ['GET'] }),
      path: Type.String({ examples: ['/api/plugins/tool-dice/rolls'] }),
    }),
    { description: 'The routes of its plugin: all that the panel may call. Empty for a screen, which calls what the person may.' },
  ),
})
