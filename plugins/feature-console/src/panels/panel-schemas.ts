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

/** A panel as the console gets it: no path of this machine is in it. */
export const consolePanelSchema = namedObject('ConsolePanel', {
  id: Type.String({ examples: ['tool-dice'] }),
  plugin_id: Type.String({ examples: ['tool-dice'] }),
  title: text,
  description: Type.Union([text, Type.Null()]),
  icon: Type.String({ examples: ['plug'] }),
  group: Type.Union([Type.Literal('main'), Type.Literal('personal'), Type.Literal('admin')]),
  order: Type.Integer({ examples: [50] }),
  content: Type.Union([
    namedObject('ConsolePanelSections', { kind: Type.Literal('sections'), sections: Type.Array(section) }),
    namedObject('ConsolePanelComponent', { kind: Type.Literal('component'), element: Type.String({ examples: ['dice-board'] }) }),
  ]),
  routes: Type.Array(
    namedObject('ConsolePanelRoute', {
      method: Type.String({ examples: ['GET'] }),
      path: Type.String({ examples: ['/api/plugins/tool-dice/rolls'] }),
    }),
    { description: 'The routes of its plugin: all that the panel may call.' },
  ),
})
