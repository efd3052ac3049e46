import { defineMessages } from '../i18n/messages.js'

export const t = defineMessages({
  en: {
    broke: 'Its drawing broke the rules of the console and was stopped.',
    copy_source: 'Copy the source of the diagram',
    diagram: 'Diagram',
    drawing: 'The diagram is being drawn',
    not_drawn: 'This diagram cannot be drawn. {reason}',
    not_started: 'What draws diagrams could not be loaded.',
    picture: 'Diagram: {kind}. Its source can be shown.',
    save_picture: 'Download as SVG',
    show_source: 'Show source',
    too_long: 'It has more than {max} characters.',
    too_slow: 'Drawing it took too long and was stopped.',
  },
  de: {
    broke: 'Seine Zeichnung hat die Regeln der Konsole verletzt und wurde angehalten.',
    copy_source: 'Quelltext des Diagramms kopieren',
    diagram: 'Diagramm',
    drawing: 'Das Diagramm wird gezeichnet',
    not_drawn: 'Dieses Diagramm lässt sich nicht zeichnen. {reason}',
    not_started: 'Was Diagramme zeichnet, konnte nicht geladen werden.',
    picture: 'Diagramm: {kind}. Sein Quelltext lässt sich anzeigen.',
    save_picture: 'Als SVG herunterladen',
    show_source: 'Quelltext anzeigen',
    too_long: 'Es hat mehr als {max} Zeichen.',
    too_slow: 'Das Zeichnen hat zu lange gedauert und wurde angehalten.',
  },
})
