import FeedClientKit

/// The text of a status, and where it comes from.
struct StatusText {
    /// Where a text comes from.
    enum Origin: Equatable {
        /// The command line, or a pipe: the user has it, or can produce it again.
        case given
        /// An editor, in which the user saw and changed everything.
        case edited
        /// A prompt.
        case typed
    }

    var text: String
    var origin: Origin
    /// The draft of an earlier attempt that the text replaces; its options and media belong to the text.
    var draft: KeptDraft?

    /// Whether the text exists nowhere else.
    var isPrecious: Bool { origin != .given }
}
