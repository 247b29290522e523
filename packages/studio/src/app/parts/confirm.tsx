/**
 * The confirmation before something that can't be undone. The dialog is a native one, so the focus stays inside it and
 * Escape leaves it. The button that changes nothing comes first and has the focus, and a key that is held down presses
 * neither: leaning on Enter spends nothing.
 * @module
 */
import type { ComponentChildren, RefObject } from "preact";
import { useId } from "preact/hooks";

interface ConfirmProps {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly title: ComponentChildren;
  /** The label of the button that changes nothing, and of the one that acts. */
  readonly safe: string;
  readonly action: string;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly onConfirm: () => void;
  readonly children: ComponentChildren;
}

export function Confirm({
  dialog,
  title,
  safe,
  action,
  busy = false,
  disabled = false,
  onConfirm,
  children,
}: ConfirmProps) {
  const id = useId();
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        if (busy) event.preventDefault();
      }}
      onKeyDown={ignoreRepeats}
    >
      <div class="stack">
        <h2 id={id}>{title}</h2>
        {children}
        <div class="row">
          <button type="button" autofocus disabled={busy} onClick={() => dialog.current?.close()}>
            {safe}
          </button>
          <button type="button" class="primary" disabled={busy || disabled} onClick={onConfirm}>
            {action}
          </button>
        </div>
      </div>
    </dialog>
  );
}

/** For whatever leads to something that costs. */
export function ignoreRepeats(event: KeyboardEvent): void {
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
}
