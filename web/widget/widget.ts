import { ButtonDock } from './button-dock';
import { readOptions } from './options';
import { Panel } from './panel';
import { applyStyle } from './widget-style';

/** Adds the button of a link to the page of a company: see docs/guides/embed.md. */
function addWidget(script: HTMLScriptElement): void {
  const { lang } = document.documentElement;
  const options = readOptions(script, lang ? [lang, ...navigator.languages] : navigator.languages);
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  applyStyle(root);
  const panel = new Panel(options, () => dock.focus());
  const dock = new ButtonDock(options, () => panel.open());
  root.append(dock.element, panel.element);
  if (options.position === 'inline') script.after(host);
  else document.body.append(host);
}

const { currentScript } = document;

if (currentScript instanceof HTMLScriptElement) {
  if (document.body) addWidget(currentScript);
  else addEventListener('DOMContentLoaded', () => addWidget(currentScript), { once: true });
}
