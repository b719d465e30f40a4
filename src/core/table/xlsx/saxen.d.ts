/** The part of saxen that xml.ts uses; the package has no types of its own. */
declare module 'saxen' {
  type Decode = (text: string) => string;
  export class Parser {
    /** Maps namespaces to the prefixes that handlers see. */
    ns(prefixes: Readonly<Record<string, string>>): this;
    on(
      event: 'openTag',
      handler: (name: string, attributes: () => Record<string, string>, decode: Decode, isSelfClosing: boolean) => void,
    ): this;
    on(event: 'closeTag', handler: (name: string, decode: Decode, isSelfClosing: boolean) => void): this;
    on(event: 'text', handler: (text: string, decode: Decode) => void): this;
    on(event: 'cdata', handler: (text: string) => void): this;
    on(event: 'error' | 'warn', handler: (error: Error) => void): this;
    write(text: string): this;
    end(): void;
  }
}
