/**
 * Text to take away, with a button that copies it. Where the browser forbids copying, the text is selected instead.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Icon } from "../parts/icon.js";

interface CodeToCopyProps {
  readonly title: string;
  /** Completes "Copy the …". */
  readonly name: string;
  readonly text: string;
}

export function CodeToCopy({ title, name, text }: CodeToCopyProps) {
  const block = useRef<HTMLPreElement>(null);
  const said = useSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied.";
    } catch {
      if (block.current) getSelection()?.selectAllChildren(block.current);
      said.value = "Selected: press Ctrl+C, or ⌘C on a Mac.";
    }
  };
  return (
    <details>
      <summary>{title}</summary>
      <div class="stack-tight">
        <pre ref={block} class="code">
          {text}
        </pre>
        <div class="row">
          <button type="button" class="small-button" onClick={() => void copy()}>
            <Icon name="copy" size={16} />
            Copy the {name}
          </button>
          <span class="soft small" role="status">
            {said}
          </span>
        </div>
      </div>
    </details>
  );
}
