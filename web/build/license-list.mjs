/** Where a build lists the packages that it has bundled, for `scripts/sbom.mjs`. */
export const licenseList = (name) => ({ fileName: `.vite/licenses-${name}.json` });
