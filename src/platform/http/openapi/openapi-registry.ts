import { Injectable, type Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** A context's contribution to the OpenAPI document besides its routes, such as webhooks. */
export interface OpenApiExtension {
  /** Classes whose schemas it refers to. */
  models: Type[];
  /** Changes the document, which contains the schemas of all classes. */
  describe(document: OpenAPIObject): void;
}

/** Collects the contributions of the contexts to the OpenAPI document. */
@Injectable()
export class OpenApiRegistry {
  readonly all: OpenApiExtension[] = [];

  register(extension: OpenApiExtension): void {
    this.all.push(extension);
  }
}

/** `CallDto` of `#/components/schemas/CallDto`. */
export const schemaName = (ref: string): string => ref.replace('#/components/schemas/', '');
