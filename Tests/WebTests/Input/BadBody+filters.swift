extension BadBody {
    private static let path = "/api/v2/filters"
    /// A filter of ada's.
    private static let own = path + "/{filter}"

    private static func form(_ method: String, _ path: String, _ form: String, _ code: Int = 422) -> BadBody {
        BadBody(method: method, path: path, body: .form(form), codes: [code])
    }

    private static func json(_ method: String, _ path: String, _ json: String, _ code: Int = 422) -> BadBody {
        BadBody(method: method, path: path, body: .json(json), codes: [code])
    }

    private static func text(_ length: Int) -> String { String(repeating: "x", count: length) }

    private static func keywords(_ count: Int) -> String {
        (0..<count).map { "&keywords_attributes[\($0)][keyword]=k" }.joined()
    }

    /// Invalid with a valid title and context, for a new filter and for a change.
    private static let invalid = [
        "title=x&title=y&context[]=home", "title=\(text(257))&context[]=home", "title=&context[]=home",
        "title=x&context[]=attic", "title=x&context[]=home&context[]=x", "title=x&context[]=",
        "title=x&context[]=home&filter_action=delete", "title=x&context[]=home&filter_action[]=a&filter_action[]=b",
        "title=x&context[]=home&expires_in=-1", "title=x&context[]=home&expires_in=soon",
        "title=x&context[]=home&expires_in=99999999999999999999", "title=x&context[]=home&expires_in=3153600001",
        "title=x&context[]=home&expires_in[a]=60", "title=x&context[]=home&expires_in=60&expires_in=120",
        "title=x&context[]=home&keywords_attributes[0][keyword]=", "title=x&context[]=home" + keywords(1000),
        "title=x&context[]=home&keywords_attributes[][whole_word]=true",
        "title=x&context[]=home&keywords_attributes[][keyword]=" + text(513),
        "title=x&context[]=home&keywords_attributes[0][keyword]=a&keywords_attributes[0][keyword]=b",
        // A valid keyword does not make the request valid.
        "title=x&context[]=home&keywords_attributes[0][keyword]=a&keywords_attributes[1][keyword]=+",
    ]

    /// Each with a keyword that this filter does not have.
    private static let unknown: [(form: String, code: Int)] = [
        ("title=x&context[]=home&keywords_attributes[0][id]={oldkeyword}", 404),
        ("title=x&context[]=home&keywords_attributes[0][id]=1", 404),
        ("title=x&context[]=home&keywords_attributes[0][id]=99999999999999999999", 404),
        ("title=x&context[]=home&keywords_attributes[0][id]=x", 400),
        ("title=x&context[]=home&keywords_attributes[0][id]=-1", 400),
    ]

    private static let wrongTypes = [
        #"{"title":["a","b"],"context":["home"]}"#, #"{"title":{"a":"b"},"context":["home"]}"#,
        #"{"title":"x","context":"home,public"}"#, #"{"title":"x","context":[7]}"#, #"{"title":"x","context":[true]}"#,
        #"{"title":"x","context":["home"],"filter_action":{"a":"hide"}}"#,
        #"{"title":"x","context":["home"],"filter_action":1}"#,
        #"{"title":"x","context":["home"],"expires_in":1.5}"#, #"{"title":"x","context":["home"],"expires_in":true}"#,
        #"{"title":"x","context":["home"],"expires_in":{"seconds":60}}"#,
        #"{"title":"x","context":["home"],"keywords_attributes":[{"keyword":["a","b"]}]}"#,
        #"{"title":"x","context":["home"],"keywords_attributes":[{"keyword":{"a":"b"},"whole_word":true}]}"#,
        #"{"title":"x","context":["home"],"keywords_attributes":[{"id":{"x":1},"keyword":"k"}]}"#,
        #"{"title":"x","context":["home"],"keywords_attributes":[{"id":"5","keyword":{"a":"b"}}]}"#,
        #"{"title":"x","context":["home"],"expires_in":[60,120]}"#,
        #"{"title":"a\u0000b","context":["home"]}"#, #"{"title":"\#(accents.prefix(200))","context":["home"]}"#,
    ]

    /// New filters. ada has two with a keyword each.
    static let filters: [BadBody] =
        invalid.map { form("POST", path, $0) } + wrongTypes.map { json("POST", path, $0) }
        + unknown.map { form("POST", path, $0.form, $0.code) } + incomplete

    private static let incomplete: [BadBody] = [
        form("POST", path, ""), form("POST", path, "title=x"), form("POST", path, "context[]=home"),
        json("POST", path, #"{"title":"x","context":{"home":true}}"#),
        json("POST", path, #"{"title":"x","context":[]}"#), json("POST", path, #"{"title":"x","context":null}"#),
        BadBody(path: path, body: nil, codes: [422]),
        form("POST", path, "title=x&context[]=home" + keywords(5000), 413),
        form("POST", path, "title=" + text(300_000), 413),
    ]

    static let filterChanges: [BadBody] =
        invalid.map { form("PUT", own, $0) } + wrongTypes.map { json("PUT", own, $0) }
        + unknown.map { form("PUT", own, $0.form, $0.code) } + changes

    private static let changes: [BadBody] = [
        form("PUT", own, "title="), form("PUT", own, "context[]="), json("PUT", own, #"{"context":[]}"#),
        form("PUT", own, "keywords_attributes[0][id]={keyword}&keywords_attributes[0][keyword]="),
        // Neither is the first keyword removed.
        form(
            "PUT", own,
            "keywords_attributes[0][id]={keyword}&keywords_attributes[0][_destroy]=1"
                + "&keywords_attributes[1][keyword]="),
        form("PUT", own, "title=x&context[]=home" + keywords(5000), 413),
        form("PUT", path + "/1", "title=x", 404), form("PUT", path + "/{oldkeyword}", "title=x", 404),
    ]

    static let filterEntries: [BadBody] =
        keywordChanges("POST", own + "/keywords") + keywordChanges("PUT", path + "/keywords/{keyword}") + entries

    private static func keywordChanges(_ method: String, _ path: String) -> [BadBody] {
        let forms = ["keyword=", "keyword=+", "keyword=" + text(513), "keyword[]=a&keyword[]=b", "keyword[a]=b"]
        let objects = [
            #"{"keyword":["a","b"]}"#, #"{"keyword":{"a":"b"}}"#, #"{"keyword":"\#(accents.prefix(100))"}"#,
        ]
        return forms.map { form(method, path, $0) } + objects.map { json(method, path, $0) }
            + [form(method, path, "keyword=" + text(30_000), 413)]
    }

    private static let entries: [BadBody] = [
        form("POST", own + "/keywords", "whole_word=true"), form("POST", own + "/keywords", ""),
        form("POST", path + "/1/keywords", "keyword=x", 404),
        form("PUT", path + "/keywords/1", "keyword=x", 404),
        form("PUT", path + "/keywords/{filter}", "keyword=x", 404),
        BadBody(path: own + "/statuses", body: nil, codes: [422]),
        form("POST", own + "/statuses", "status_id="), form("POST", own + "/statuses", "status_id=1"),
        form("POST", own + "/statuses", "status_id=x", 400),
        form("POST", own + "/statuses", "status_id=-1", 400),
        form("POST", own + "/statuses", "status_id=99999999999999999999"),
        json("POST", own + "/statuses", #"{"status_id":{"id":"1"}}"#, 400),
        json("POST", own + "/statuses", #"{"status_id":1.5}"#, 400),
        json("POST", own + "/statuses", #"{"status_id":["1","2"]}"#, 400),
        form("POST", own + "/statuses", "status_id={reply}&status_id={reply}", 400),
        // The filter already contains this one.
        form("POST", own + "/statuses", "status_id={status}"),
        form("POST", path + "/1/statuses", "status_id={status}", 404),
    ]

    /// Version 1 of the API.
    static let oldFilters: [BadBody] =
        invalidOld.flatMap { [form("POST", "/api/v1/filters", $0), form("PUT", "/api/v1/filters/{keyword}", $0)] }
        + otherOld

    private static let invalidOld = [
        "phrase=", "phrase=+&context[]=home", "phrase=\(text(513))&context[]=home",
        "phrase[]=a&phrase[]=b&context[]=home", "phrase[a]=b&context[]=home", "phrase=x&context[]=attic",
        "phrase=x&context[]=", "phrase=x&context[]=home&expires_in=x", "phrase=x&context[]=home&expires_in=-1",
        "phrase=x&context[]=home&expires_in=99999999999999999999",
        "phrase=x&context[]=home&expires_in=60&expires_in=60",
    ]

    private static let otherOld: [BadBody] = [
        form("POST", "/api/v1/filters", "phrase=x"), form("POST", "/api/v1/filters", "context[]=home"),
        form("POST", "/api/v1/filters", ""),
        json("POST", "/api/v1/filters", #"{"phrase":{"a":"b"},"context":["home"]}"#),
        json("POST", "/api/v1/filters", #"{"phrase":"x","context":{"home":true}}"#),
        json("PUT", "/api/v1/filters/{keyword}", #"{"phrase":["a","b"]}"#),
        json("PUT", "/api/v1/filters/{keyword}", #"{"expires_in":{"seconds":60}}"#),
        form("POST", "/api/v1/filters", "context[]=home&phrase=" + text(30_000), 413),
        form("PUT", "/api/v1/filters/1", "phrase=x", 404),
        form("PUT", "/api/v1/filters/{filter}", "phrase=x", 404),
    ]
}
