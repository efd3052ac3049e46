import { defineMessages } from '../../i18n/messages.js'

export const t = defineMessages({
  en: {
    needs_you: 'Needs you',
    no_chats: 'No chats yet',
    no_chats_text: 'A chat is where you ask an agent for something and see what it does.',
    placeholder: 'Ask an agent for something',
    question: 'What should get done?',
    recent: 'Recent',
    running: 'Running',
    send: 'Send',
    since: 'since {time}',
    untitled: 'New chat',
    waits: 'Waits for you',
  },
  de: {
    needs_you: 'Wartet auf dich',
    no_chats: 'Noch keine Chats',
    no_chats_text: 'In einem Chat bittest du einen Agenten um etwas und siehst, was er tut.',
    placeholder: 'Bitte einen Agenten um etwas',
    question: 'Was steht an?',
    recent: 'Zuletzt',
    running: 'Läuft',
    send: 'Senden',
    since: 'seit {time}',
    untitled: 'Neuer Chat',
    waits: 'Wartet auf dich',
  },
})
