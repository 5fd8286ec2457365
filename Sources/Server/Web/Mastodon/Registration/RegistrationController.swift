import FeedAPI
import FeedCore
import FeedStore
import Foundation
import HTTPTypes
import Logging

/// Account registration by an application, unless registration is closed: `POST /api/v1/accounts`.
struct RegistrationController: Sendable {
    let registration: Registration
    let applications: ApplicationStore
    let grants: Grants
    let settings: ReloadableSettings
    let clock: WallClock

    func addEndpoints(to endpoints: Endpoints) { endpoints.post(Paths.accounts, .token(.writeAccounts), use: register) }

    /// Responds with a token for the new account, with the scopes of the application's own token. While the account
    /// awaits approval, the token is refused.
    @Sendable func register(_ request: Request, _ context: RequestContext) async throws -> Response {
        let registration = registration
        guard registration.mode != .closed else { throw RegistrationRule.closed }
        let input = try await request.input(upTo: settings.limits.formBytes, context: context)
        guard let secret = request.bearerToken,
            let application = try await applications.application(ofToken: Secret.hash(secret)),
            case .holder(let holder) = context.caller
        else { throw FeedError.unauthorized }
        do {
            let registered = try await registration.register(Self.form(input))
            registered.log(context)
            let issued = try await grants.token(
                for: registered.account.id, scopes: holder.scopes, application: application)
            return Response(token: issued, now: clock.now())
        } catch let refusal as RegistrationError {
            return Response(json: .init(refusal), status: .unprocessableContent)
        }
    }

    private static func form(_ input: RequestParameters) -> RegistrationForm {
        RegistrationForm(
            username: input["username"] ?? "", email: input["email"] ?? "", password: input["password"] ?? "",
            agrees: input.flag("agreement") ?? false, reason: input["reason"] ?? "",
            invitation: input["invite_code"].flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension RegisteredAccount {
    /// Informs the operator.
    func log(_ context: RequestContext) {
        context.logger.notice(
            isPending ? "a sign-up awaits approval" : "an account has signed up",
            metadata: ["username": "\(account.username)", "from": "\(context.address)"])
    }
}

extension JSONWriter {
    /// Writes an error with the errors of each field.
    fileprivate init(_ refusal: RegistrationError) {
        self.init()
        object {
            let texts = refusal.errors.map { $0.field.label + " " + $0.error.message }
            $0.field("error", "Validation failed: " + texts.joined(separator: ", "))
            $0.object("details") { json in
                for field in RegistrationError.Field.allCases {
                    let errors = refusal.errors.filter { $0.field == field }
                    if !errors.isEmpty { json.errors(errors.map(\.error), of: field) }
                }
            }
        }
    }

    private mutating func errors(_ errors: [RegistrationError.FieldError], of field: RegistrationError.Field) {
        dynamicKey(field.rawValue)
        array { json in
            for error in errors {
                json.object {
                    $0.field("error", error.rawValue)
                    $0.field("description", error.message)
                }
            }
        }
    }
}

extension RegistrationError.Field {
    /// The name of the field for messages.
    var label: String {
        switch self {
        case .username: "Username"
        case .email: "Email"
        case .password: "Password"
        case .agreement: "Agreement"
        case .reason: "Reason"
        case .invitation: "Invitation"
        }
    }
}

extension RegistrationError.FieldError {
    /// Completes a sentence that begins with the field's label.
    var message: String {
        switch self {
        case .blank: "can't be blank"
        case .invalid: "is invalid"
        case .taken: "has already been taken"
        case .reserved: "is reserved"
        case .tooShort: "is too short (minimum is 8 characters)"
        case .tooLong: "is too long"
        case .notAccepted: "must be accepted"
        }
    }
}
