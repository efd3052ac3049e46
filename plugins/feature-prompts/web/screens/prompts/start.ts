import { addComposerCommands, addMessageAction, errorText, loadPart, showToast } from '@agent-service/sdk/web'

/** Saved prompts behind “/” in the field of a message, and a button beside what a person wrote that makes one of it. */
export function start(): void {
  addComposerCommands({
    heading: { en: 'Prompts', de: 'Prompts' },
    order: 10,
    read: async () => {
      const { readPromptCommands } = await loadPart(() => import('./prompt-commands.js'))
      return readPromptCommands()
    },
  })
  addMessageAction({
    order: 10,
    title: { en: 'Save as prompt', de: 'Als Prompt speichern' },
    icon: 'bolt',
    run: (text) => void save(text),
  })
}

async function save(text: string): Promise<void> {
  try {
    const { showPromptDialog } = await loadPart(() => import('./show-prompt-dialog.js'))
    showPromptDialog(text)
  } catch (error) {
    showToast(errorText(error), { mark: 'fail' })
  }
}
