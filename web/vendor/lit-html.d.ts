export { html, svg, render, nothing } from 'lit-html';
export type { TemplateResult } from 'lit-html';
export { live } from 'lit-html/directives/live.js';
export { repeat } from 'lit-html/directives/repeat.js';
