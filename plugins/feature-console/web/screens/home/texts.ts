import { defineMessages } from '../../i18n/messages.js'

export const t = defineMessages({
  en: {
    needs_you: 'Needs you',
    no_chats: 'No chats yet',
    no_chats_text: 'A chat is where you ask an agent for something and see what it does.',
    placeholder: 'Ask, paste, or drop files here',
    question: 'What should get done?',
    recent: 'Recent',
    running: 'Running',
    since: 'since {time}',
    untitled: 'New chat',
    waits: 'Waits for you',
  },
  de: {
    needs_you: 'Wartet auf dich',
    no_chats: 'Noch keine Chats',
    no_chats_text: 'In einem Chat bittest du einen Agenten um etwas und siehst, was er tut.',
    placeholder: 'Frag, füge ein oder leg Dateien hier ab',
    question: 'Was steht an?',
    recent: 'Zuletzt',
    running: 'Läuft',
    since: 'seit {time}',
    untitled: 'Neuer Chat',
    waits: 'Wartet auf dich',
  },
})
