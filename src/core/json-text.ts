/**
 * An item of a list as the service sent it, not parsed. Only for text that `exactJson` would print in the same way, with
 * the keys in the contract's order.
 */
export class JsonText {
  readonly id: string;
  readonly text: string;

  constructor(id: string, text: string) {
    this.id = id;
    this.text = text;
  }
}
