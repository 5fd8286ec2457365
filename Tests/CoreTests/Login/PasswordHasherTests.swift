import FeedCore
import Foundation
import TestKit
import Testing

/// Hashes of passwords.
@Suite(.hangLimit)
struct PasswordHasherTests {
    @Test func hashesAreSaltedAndVerifiable() throws {
        let scrypt = Scrypt(logN: 4, r: 8, p: 1)
        let (one, two) = (try scrypt.hash("secret"), try scrypt.hash("secret"))
        #expect(one != two)
        #expect(one.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        #expect(try Scrypt.verify("secret", against: one))
        #expect(try !Scrypt.verify("Secret", against: one))
    }

    /// The third test vector of RFC 7914 §12.
    @Test func hashMatchesTheRFCTestVector() throws {
        let salt = Data("SodiumChloride".utf8).base64EncodedString().replacing("=", with: "")
        let key = "cCO9yzr9c0hGmAlMpyTKOuNJ3gYqnlJFbNPl9vzdb+w"
        let expected = "$scrypt$ln=14,r=8,p=1$\(salt)$\(key)"
        let full = Data([
            0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB,
            0xFD, 0xA8, 0xFB, 0xBA, 0x90, 0x4F, 0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2,
        ])
        let right = "$scrypt$ln=14,r=8,p=1$\(salt)$" + full.base64EncodedString().replacing("=", with: "")
        #expect(try Scrypt.verify("pleaseletmein", against: right))
        #expect(try !Scrypt.verify("pleaseletmein", against: expected))
    }

    @Test(arguments: [
        "", "x", "$scrypt$", "$scrypt$ln=99,r=8,p=1$AAAA$AAAA", "$scrypt$ln=4,r=8$AAAA$AAAA", "$argon2$a$b$c",
    ])
    func malformedHashesNeverMatch(stored: String) throws { #expect(try !Scrypt.verify("x", against: stored)) }
}
