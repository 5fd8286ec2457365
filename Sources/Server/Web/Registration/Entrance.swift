import FeedCore
import HTTPTypes

/// The way in which the visitor of a sign-up page may sign up.
struct Entrance: Sendable {
    let invitation: Invitation?
    /// Whether the operator approves the account.
    let requiresApproval: Bool

    /// The values that the seal of the form authenticates.
    var fields: [(name: String, value: String)] { [("form", "join"), ("code", invitation?.code ?? "")] }

    static let invalidInvitation = Problem(
        status: .notFound, message: "This invitation is not valid",
        hint: "It may have expired or been used already. Ask for a new one.")
}

/// Why nobody can sign up at an address. The page that says so is no error: a visitor only follows a link to it.
struct ClosedEntrance: Error {
    let heading: String
    let hint: String?

    static let closed = ClosedEntrance(heading: "Sign-up is closed", hint: RegistrationRule.closed.hint)
    static let requiresInvitation = ClosedEntrance(
        heading: "Signing up requires an invitation", hint: "If you have one, open its complete address.")
}
