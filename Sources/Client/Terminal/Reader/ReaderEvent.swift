/// An event from outside the reader.
package enum ReaderEvent: Sendable {
    case key(Key)
    case resize(columns: Int, rows: Int)
    /// The newest entry that was seen when a source was read the last time, here or on another device.
    case position(ReaderSource, String)
    /// The entry at the top of a source, such as the account of a profile.
    case pinned(ReaderSource, ReaderItem)
    /// The entries of a source, the newest first, instead of those before. They may lack what has arrived since a time.
    case loaded(ReaderSource, [ReaderItem], since: ContinuousClock.Instant? = nil)
    /// A source could not be loaded, and why. What is known of it stays.
    case failed(ReaderSource, String)
    /// The entries below the last one of a source; none if that is the end, and `nil` if they could not be loaded.
    case older(ReaderSource, [ReaderItem]?)
    /// New entries of a source, the newest first. They count only if the source has been loaded.
    case arrived(ReaderSource, [ReaderItem], at: ContinuousClock.Instant = .now)
    /// A status has been edited, or a poll has been voted in.
    case changed(ReaderItem)
    /// A status has been deleted.
    case deleted(String)
    /// A reaction has been made, or taken back, also one that has failed.
    case reacted(ReaderReaction, String, isUndone: Bool)
    /// The conversation around a status.
    case thread(of: String, [ReaderItem])
    /// The form that ``ReaderEffect/reply(_:)`` or ``ReaderEffect/edit(_:)`` has asked for; `nil` if there is none.
    case opened(ReaderEffect, ReaderForm?)
    /// A form that is shown again: the editor has changed its text, or it could not be stored.
    case form(ReaderForm)
    /// Something has been stored in the outbox, sent or removed.
    case outboxChanged
    /// The lists, hashtags and logins to choose from.
    case choices(sources: [ReaderSource], accounts: [String])
    /// The visibility of new statuses by default, and the maximum number of their characters.
    case defaults(visibility: String?, characters: Int?)
    /// The lines of a picture for the detail; none if it cannot be shown.
    case preview(String, [String])
    /// A picture for the whole screen.
    case picture(String, ReaderPicture)
    /// The account that reads now. What was shown belongs to another one.
    case account(String)
    /// The reason why the server cannot be reached; `nil` if it can.
    case offline(String?)
    case notice(String)
    /// Some time has passed.
    case refresh
}

/// An effect to carry out outside of the model.
package enum ReaderEffect: Equatable, Sendable {
    case load(ReaderSource)
    /// Loads a source that has not been shown yet, and finds out where it was read up to.
    case resume(ReaderSource)
    case older(ReaderSource, before: String)
    /// The reader has seen everything up to an entry.
    case seen(ReaderSource, upTo: String)
    case thread(String)
    case markRead(conversation: String)
    case react(ReaderReaction, String, undo: Bool)
    case vote(String, [Int])
    case delete(String)
    case follow(String, undo: Bool)
    /// Removes a post from the outbox.
    case drop(String)
    /// Sends what waits in the outbox, because the user asks for it, or because the server can be reached again.
    case flush(isAutomatic: Bool)
    /// A form for a reply to a status, or for its text, is wanted.
    case reply(String)
    case edit(String)
    case post(ReaderForm)
    case editor(ReaderForm)
    case open(String)
    /// A picture is wanted in the detail, or on the whole screen.
    case preview(String, columns: Int, rows: Int)
    case picture(String, columns: Int, rows: Int)
    case account(String)
    case redraw, suspend, quit
}
