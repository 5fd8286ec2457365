package import FeedCore
import Foundation

/// The reason for refusing a media file. Message and hint may be sent to the client.
package struct MediaError: Error, Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The file ends too early.
        case incomplete
        /// The file violates its format.
        case damaged
        /// The file has a format, or uses a part of one, that is not accepted.
        case unsupported
        /// The file, its image, or the number of its parts is too large.
        case tooLarge
        /// A system call has failed.
        case failed
    }

    package let kind: Kind
    package let message: String
    package let hint: String?

    package init(_ kind: Kind, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
    }

    package static let incomplete = MediaError(.incomplete, "The file is incomplete", hint: "Upload it again.")

    static func damaged(_ reason: String) -> MediaError {
        MediaError(.damaged, "The file is damaged: \(reason)", hint: "Open it in another program and save it again.")
    }

    static func unsupported(_ message: String, hint: String) -> MediaError {
        MediaError(.unsupported, message, hint: hint)
    }

    static func tooLarge(_ message: String, hint: String) -> MediaError {
        MediaError(.tooLarge, message, hint: hint)
    }

    static func failed(_ call: String, _ code: Int32) -> MediaError {
        MediaError(.failed, "The file could not be processed (\(call): \(String(cString: strerror(code))))")
    }

    /// The error as the API reports it: 422, or 500 if a system call has failed.
    package var feedError: FeedError {
        kind == .failed
            ? FeedError(.storage, "The file could not be processed", cause: self)
            : FeedError(.invalid, "Validation failed: " + message, hint: hint)
    }
}
