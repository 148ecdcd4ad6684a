import { Injectable, type Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** What a context says in the OpenAPI document beside its routes. */
export interface OpenApiAddition {
  /** Classes whose schemas it refers to. */
  models: Type[];
  /** Adds to the document, in which there are the schemas of all classes. */
  describe(document: OpenAPIObject): void;
}

/** Collects what is to stand in the OpenAPI document that no route says. */
@Injectable()
export class OpenApiRegistry {
  readonly all: OpenApiAddition[] = [];

  register(addition: OpenApiAddition): void {
    this.all.push(addition);
  }
}
