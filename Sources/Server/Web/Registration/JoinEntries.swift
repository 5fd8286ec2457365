import FeedCore

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

    /// - Parameter rules: What the visitor must agree to, unless there are none.
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
