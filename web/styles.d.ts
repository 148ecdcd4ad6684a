/** Vite adds the styles to the page; they have no exports. */
declare module '*.css';
