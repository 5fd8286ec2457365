import FeedCore

extension RegistrationRefusal.Field {
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

extension RegistrationRefusal.Fault {
    /// Completes a sentence that begins with the field's label.
    var text: String {
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
