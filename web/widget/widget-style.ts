/**
 * The style of what the widget adds to a page. It is applied to a shadow root by the CSS object model, which the page's
 * `style-src` does not forbid, unlike a style element or attribute.
 */
const STYLE = `
:host { all: initial; }
.dock { position: fixed; bottom: 16px; z-index: 2147483000; }
.bottom-right { right: 16px; }
.bottom-left { left: 16px; }
.button { display: block; border: 0; width: 280px; height: 64px; color-scheme: light; background: transparent; }
.waiting { position: absolute; visibility: hidden; }
.link {
  display: inline-block; padding: 14px 20px; border-radius: 28px; background: #1d4ed8; color: #fff;
  font: 600 16px/1.25 system-ui, sans-serif; text-decoration: none; box-shadow: 0 2px 10px #0004;
}
.link:focus-visible, .close:focus-visible { outline: 3px solid #1d4ed8; outline-offset: 2px; }
.panel {
  position: fixed; inset: auto 16px 16px auto; margin: 0; padding: 0; border: 0; box-sizing: border-box;
  width: 400px; max-width: none; height: min(720px, 100vh - 32px); max-height: none; overflow: hidden;
  border-radius: 12px; background: #fff; box-shadow: 0 8px 40px #0006; z-index: 2147483001;
}
.panel[open] { display: flex; flex-direction: column; }
.panel.bottom-left { inset: auto auto 16px 16px; }
.bar { display: flex; justify-content: flex-end; background: #1f2937; }
.bar .link { margin: 8px auto 8px 8px; }
.close { min-width: 44px; min-height: 44px; border: 0; background: none; color: #fff; font: 24px/1 system-ui, sans-serif; cursor: pointer; }
.close:focus-visible { outline-color: #fff; outline-offset: -4px; }
.page { flex: 1; width: 100%; border: 0; }
@media (max-width: 600px), (max-height: 500px) {
  .panel, .panel.bottom-left { inset: 0; width: 100%; height: 100%; border-radius: 0; }
}
`;

/** Screens on which the panel covers the page. */
export const COVERS_PAGE = '(max-width: 600px), (max-height: 500px)';

export function applyStyle(root: ShadowRoot): void {
  // Safari has it since 16.4.
  if ('replaceSync' in CSSStyleSheet.prototype) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const element = document.createElement('style');
  element.textContent = STYLE;
  root.append(element);
}
