/** From a private answer to what is published and recorded: what the command line and the page share. */
export {};
