import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  remember: {
    icon: 'memory',
    words: {
      en: {
        title: 'Remember',
        ask: 'Remember “{text}”',
        running: 'Remembering “{text}”',
        done: 'Remembered “{text}”',
        failed: 'Could not remember “{text}”',
      },
      de: {
        title: 'Merken',
        ask: '„{text}“ merken',
        running: 'Merkt sich „{text}“',
        done: '„{text}“ gemerkt',
        failed: 'Konnte sich „{text}“ nicht merken',
      },
    },
  },
  memory_search: {
    icon: 'memory',
    words: {
      en: {
        title: 'Search the memory',
        ask: 'Search the memory for “{query}”',
        running: 'Searching the memory for “{query}”',
        done: 'Searched the memory for “{query}”',
        failed: 'Could not search the memory for “{query}”',
      },
      de: {
        title: 'Gedächtnis durchsuchen',
        ask: 'Gedächtnis nach „{query}“ durchsuchen',
        running: 'Durchsucht das Gedächtnis nach „{query}“',
        done: 'Gedächtnis nach „{query}“ durchsucht',
        failed: 'Konnte das Gedächtnis nicht nach „{query}“ durchsuchen',
      },
    },
  },
  forget: {
    icon: 'memory',
    words: {
      en: {
        title: 'Forget',
        ask: 'Forget something',
        running: 'Forgetting something',
        done: 'Forgot something',
        failed: 'Could not forget it',
      },
      de: {
        title: 'Vergessen',
        ask: 'Etwas vergessen',
        running: 'Vergisst etwas',
        done: 'Etwas vergessen',
        failed: 'Konnte es nicht vergessen',
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
