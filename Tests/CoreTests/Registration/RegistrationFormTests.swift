import FeedCore
import Testing

struct RegistrationFormTests {
    private typealias FieldError = RegistrationError.FieldError

    private static func form(_ change: (inout RegistrationForm) -> Void = { _ in }) -> RegistrationForm {
        var form = RegistrationForm(username: "grace", email: "grace@feed.test", password: "12345678", agrees: true)
        change(&form)
        return form
    }

    private static func refusal(_ change: (inout RegistrationForm) -> Void) -> RegistrationError {
        RegistrationError(errors: form(change).errors(blockedNames: ["mallory"], limits: Limits()))
    }

    @Test func validFormHasNoFaults() {
        #expect(Self.refusal { _ in }.errors.isEmpty)
        #expect(Self.refusal { $0.reason = String(repeating: "👩‍👩‍👧", count: 200) }.errors.isEmpty)
    }

    @Test func emailMayBeOptional() {
        #expect(Self.refusal { $0.email = "" } == RegistrationError(errors: [(.email, .blank)]))
        func optional(_ email: String) -> RegistrationError {
            Self.refusal {
                $0.email = email
                $0.requiresEmail = false
            }
        }
        #expect(optional("").errors.isEmpty)
        #expect(optional("x") == RegistrationError(errors: [(.email, .invalid)]))
    }

    @Test func restrictedNamesAreReserved() {
        for name in ["admin", "Mallory", "ma1lory"] {
            #expect(Self.refusal { $0.username = name } == RegistrationError(errors: [(.username, .reserved)]))
        }
    }

    /// In characters and in bytes, since a single character can have any number of bytes.
    @Test func reasonIsBounded() {
        #expect(Self.refusal { $0.reason = String(repeating: "ö", count: 1000) }.errors.isEmpty)
        let tooLong = RegistrationError(errors: [(.reason, .tooLong)])
        #expect(Self.refusal { $0.reason = String(repeating: "o", count: 1001) } == tooLong)
        #expect(Self.refusal { $0.reason = "e" + String(repeating: "\u{301}", count: 3000) } == tooLong)
    }

    @Test func faultsAreListedInTheOrderOfTheForm() {
        let refusal = Self.refusal {
            $0.username = ""
            $0.password = "short"
            $0.agrees = false
        }
        #expect(
            refusal
                == RegistrationError(
                    errors: [(.username, .blank), (.password, .tooShort), (.agreement, .notAccepted)]))
    }
}
