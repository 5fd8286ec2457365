import FeedCore
import FeedStore
import HTTPTypes
import Logging

/// The sign-up page: `/join/CODE` for an invitation, `/join` where everyone may sign up.
struct JoinController: Sendable {
    let registration: Registration
    /// `nil` without rate limits.
    let rates: RateLimiter?
    let page: JoinPage
    let errors: ErrorPages
    let protection: CSRFProtection
    let settings: ReloadableSettings

    func addEndpoints(to endpoints: Endpoints) {
        for path in ["/join", "/join/:code"] {
            endpoints.get(path, .open) { request, context in
                try await respond(request, context, closed: .ok) {
                    try form(try await entrance(context), JoinEntries(), request)
                }
            }
            endpoints.post(path, .open) { request, context in
                try await respond(request, context, closed: .forbidden) { try await submit(request, context) }
            }
        }
    }

    /// - Parameter closed: The status of `/join` where nobody can sign up; an invitation is not found there.
    private func respond(
        _ request: Request, _ context: FeedContext, closed: HTTPResponse.Status, _ body: () async throws -> Response
    ) async throws -> Response {
        try await errors.form {
            do {
                return try await body()
            } catch let entrance as ClosedEntrance {
                let isInvitation = context.parameters.get("code") != nil
                return try page.closed(entrance, status: isInvitation ? .notFound : closed)
            }
        }
    }

    private func submit(_ request: Request, _ context: FeedContext) async throws -> Response {
        let entrance = try await entrance(context)
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        var entries = JoinEntries(input)
        guard try protection.isSealed(input, entrance.fields, from: request) else {
            entries.message = "This page has expired. Please try again."
            return try form(entrance, entries, request, status: .forbidden)
        }
        let entered = entries.registration(
            password: input["password"] ?? "", invitation: entrance.invitation?.code,
            rules: settings.site.rules)
        do {
            // These faults reveal nothing about accounts and are not counted, so that people can correct them.
            let faults = registration.formFaults(of: entered)
            guard faults.isEmpty else { throw RegistrationRefusal(faults: faults) }
            try countAttempt(context)
            let registered = try await registration.register(entered)
            registered.log(context)
            return try page.welcome(registered, request)
        } catch let refusal as RegistrationRefusal {
            if refusal.faults.contains(where: { $0.field == .invitation }) { throw Entrance.invalidInvitation }
            entries.faults = refusal.faults
            return try form(entrance, entries, request, status: .unprocessableContent)
        } catch let error as FeedError where [.rateLimited, .unavailable].contains(error.kind) {
            entries.message = [error.message, error.hint].compactMap(\.self).joined(separator: ". ")
            var response = try form(entrance, entries, request, status: error.status)
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }

    /// - Throws: ``ClosedEntrance`` if nobody may sign up here, ``Problem`` 404 for an invalid invitation.
    private func entrance(_ context: FeedContext) async throws -> Entrance {
        let mode = registration.mode
        guard mode != .closed else { throw ClosedEntrance.closed }
        guard context.parameters.get("code") != nil else {
            guard mode.isForEveryone else { throw ClosedEntrance.requiresInvitation }
            return Entrance(invitation: nil, requiresApproval: mode == .approval)
        }
        guard let invitation = try await registration.usableInvitation(try context.segment("code")) else {
            throw Entrance.invalidInvitation
        }
        return Entrance(invitation: invitation, requiresApproval: false)
    }

    /// Counts a submitted form like a sign-up through an application.
    private func countAttempt(_ context: FeedContext) throws(FeedError) {
        guard let rates else { return }
        let (state, now) = rates.take(.accountCreation, RateKey(address: context.address))
        guard let state, state.isRefused else { return }
        let seconds = state.secondsLeft(now: now)
        throw .rateLimited("Too many sign-ups", retryAfter: seconds)
    }

    private func form(
        _ entrance: Entrance, _ entries: JoinEntries, _ request: Request, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let seal = try protection.seal(entrance.fields, for: request)
        var response = try page.form(entrance, entries, request, seal: seal.text)
        response.status = status
        response.headers.append(seal.cookie)
        return response
    }
}

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

/// The reason why nobody can sign up at an address. The page is not an error page: visitors only followed a link.
struct ClosedEntrance: Error {
    let heading: String
    let hint: String?

    static let closed = ClosedEntrance(heading: "Sign-up is closed", hint: RegistrationRule.closed.hint)
    static let requiresInvitation = ClosedEntrance(
        heading: "Signing up requires an invitation", hint: "If you have one, open its complete address.")
}

/// The visitor's entries on a sign-up page, except the password, and their faults.
struct JoinEntries: Sendable {
    var username = ""
    var email = ""
    var reason = ""
    var agrees = false
    /// A message about the whole form.
    var message: String?
    var faults: [(field: RegistrationRefusal.Field, fault: RegistrationRefusal.Fault)] = []

    init() {}

    /// Browsers send line breaks as CR LF.
    init(_ input: InputValues) {
        username = input["username"] ?? ""
        email = input["email"] ?? ""
        reason = (input["reason"] ?? "").replacing("\r\n", with: "\n")
        agrees = input["agreement"] != nil
    }

    /// - Parameter rules: The rules that the visitor must agree to; empty if there are none.
    func registration(password: String, invitation: String?, rules: [String]) -> RegistrationForm {
        RegistrationForm(
            username: username, email: email, password: password, agrees: agrees || rules.isEmpty, reason: reason,
            invitation: invitation, requiresEmail: false)
    }

    /// The faults of a field as a sentence; `nil` for a valid field.
    func fault(of field: RegistrationRefusal.Field) -> String? {
        let texts = faults.filter { $0.field == field }.map(\.fault.text)
        return texts.isEmpty ? nil : field.label + " " + texts.joined(separator: " and ") + "."
    }
}
