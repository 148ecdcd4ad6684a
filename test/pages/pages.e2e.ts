import { requireSpecs } from '../support/jest/require-specs';

requireSpecs(__dirname);
