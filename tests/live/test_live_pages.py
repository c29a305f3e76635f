"""The pages in a browser, as people use them: by mouse and keyboard, alone and with colleagues."""

import json
import re
from datetime import date, timedelta

import polars as pl
import pytest
from browsing import Tab, check_accessible
from serving import begin, observe, served
from tables import as_file

import bygones as by

COSTS = {"rail": "1.5", "road": "3", "sea": "2,5"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    with served(folder / "journals.db", log=folder / "log") as found:
        yield found


@pytest.fixture
def client(service):
    with service.client() as found:
        yield found


@pytest.fixture
def visit(browser, service):
    """Open a page in a context of its own: another person, as far as the service can see."""
    contexts = []

    def opened(path, colours="light", width=1100, url=service.url, **options):
        size = {"width": width, "height": 900}
        context = browser.new_context(color_scheme=colours, viewport=size, **options)
        contexts.append(context)
        page, errors, asked = context.new_page(), [], []
        page.set_default_timeout(15_000)
        page.on("console", lambda message: errors.append(message.text))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("dialog", lambda dialog: errors.append(dialog.message))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(url + path)
        return Tab(page, errors, asked)

    yield opened
    for context in contexts:
        context.close()


def check_quiet(service, *tabs):
    """No message in the console, and nothing was asked of anybody else."""
    for tab in tabs:
        assert tab.errors == []
        assert {address.split("/")[2] for address in tab.asked if address[:5] != "data:"} == {
            service.url.rpartition("/")[2]
        }


def enter_costs(page, costs, period=None):
    """Type the costs of a round, and send them."""
    if period is not None:
        page.get_by_label("Period, a date or any text").fill(period)
    for name, cost in costs.items():
        page.locator("#observe").get_by_label(name, exact=True).fill(cost)
    page.get_by_role("button", name="Enter the costs").click()


def sign_in(page, token):
    """Type a token, once the page has put the cursor there: a page that is too late for that complains of it."""
    page.locator("[name=token]:focus").wait_for()
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()


def news(page, text):
    page.locator("#news", has_text=text).wait_for()


def option(page):
    """Where the option that is done or proposed is chosen."""
    return page.locator("#decide").get_by_role("combobox", name="Option", exact=True)


def parts(client, name, **about):
    """A journal of three options."""
    about = {"options": list(COSTS), "cost_range": 9.0} | about
    assert begin(client, name, **about).status_code == 201


def test_a_new_user_and_a_colleague_who_looks_on(service, visit, client):
    """From a bundled table, by three periods, an override and an undo; the other page is never loaded again."""
    mine = visit("/")
    mine.page.get_by_role("link", name="New journal").first.click()
    mine.page.get_by_label("Name", exact=True).fill("delays")
    mine.page.get_by_role("textbox", name="Number of rounds").fill("400")
    mine.page.get_by_role("button", name="Begin the journal").click()
    mine.page.wait_for_url("**/journals/delays")
    theirs = visit("/journals/delays")
    theirs.page.evaluate("window.loaded = 1")
    names = by.datasets.find("flights").options
    for day in (1, 2, 3):
        heading = f"What to do in round {365 + day}, 2014-01-0{day}"
        theirs.page.get_by_role("heading", name=heading).wait_for()
        if day == 2:
            mine.page.get_by_text("Do something else").click()
            option(mine.page).select_option("Envoy Air")
            mine.page.get_by_role("button", name="Enter this decision").click()
            theirs.page.get_by_text("Somebody entered what is really done: all in Envoy Air.").wait_for()
        enter_costs(mine.page, {name: str(day + k) for k, name in enumerate(names)})
        news(mine.page, f"Entered what 2014-01-0{day} has brought.")
        assert mine.page.evaluate("document.activeElement.name") == "cost"
    theirs.page.get_by_role("heading", name="What to do in round 369, 2014-01-04").wait_for()
    assert "local entered the costs of round 368 (2014-01-03)" in mine.page.locator("#undo").inner_text()
    mine.page.get_by_role("button", name="Take entry 370 back").click()
    news(mine.page, "Took entry 370 back.")
    theirs.page.get_by_role("heading", name="What to do in round 368, 2014-01-03").wait_for()
    news(theirs.page, "New: local took entry 370 back.")
    row = theirs.page.get_by_role("row", name="2014-01-02")
    assert "all in Envoy Air" in row.inner_text()
    assert "not as advised" in row.inner_text()
    assert theirs.page.evaluate("window.loaded") == 1
    assert client.get("/api/journals/delays").json()["rounds"] == 367
    check_quiet(service, mine, theirs)


def test_the_list_of_journals_follows_too(service, visit, client):
    parts(client, "listed")
    tab = visit("/")
    card = tab.page.get_by_role("listitem").filter(has_text="listed")
    assert "none yet" in card.inner_text()
    observe(client, [1.0, 2.0, 3.0], "listed", period="spring")
    card.get_by_text("spring").wait_for()
    client.post("/api/journals/listed/entries", json={"kind": "committed", "period": "summer"})
    card.get_by_text("Waits for the costs of 1 round: summer").wait_for()
    check_quiet(service, tab)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing(service, visit, client, colours):
    parts(client, f"axe-{colours}", horizon=50, options=["rail", "road", "sea", "air", "pipe", "mail", "foot", "bike"])
    name = f"axe-{colours}"
    for day in range(1, 8):
        if day == 3:
            mixed = {"rail": 0.3, "road": 0.2, "sea": 0.2, "air": 0.1, "pipe": 0.05, "mail": 0.05, "foot": 0.05}
            client.post(f"/api/journals/{name}/entries", json={"kind": "overridden", "value": mixed | {"bike": 0.05}})
        observe(client, [float(day + k) for k in range(8)], name, period=f"2026-11-0{day}")
    for path in ("/", "/new", "/login"):
        tab = visit(path, colours)
        check_accessible(tab)
        check_quiet(service, tab)
    tab = visit(f"/journals/{name}", colours)
    for fold in tab.page.locator(".enter summary").all():
        fold.click()
    option(tab.page).select_option(label="a mix of several")
    tab.page.locator("#decide [name=share]").first.fill("100")
    tab.page.get_by_text("What this would do").wait_for()
    tab.page.get_by_role("button", name="Enter the costs").click()  # without any
    tab.page.get_by_text("rail is empty: give a number.").wait_for()
    check_accessible(tab)
    check_quiet(service, tab)


def test_a_journal_of_ones_own_files(service, visit):
    tab = visit("/new")
    page = tab.page
    days = [date(2026, 11, 14) + timedelta(k) for k in range(3)]
    table = pl.DataFrame({"day": days, "rail": [1.0, None, 3.0], "road": [2.0, 0.5, 1.5]})
    held = "day,chosen\n2026-11-15,rail\n2026-11-16,rail\n"
    page.get_by_label("A table of mine").check()
    page.get_by_label("Name", exact=True).fill("own")
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "costs.xlsx", "mimeType": "", "buffer": as_file(table, "excel")}
    )
    page.get_by_label("What was really done").set_input_files(
        {"name": "signed.csv", "mimeType": "text/csv", "buffer": held.encode()}
    )
    page.get_by_label("How many").fill("2")
    page.get_by_role("button", name="Begin the journal").click()
    page.locator("#begin-problem", has_text="rail").wait_for()  # the reader says what is wrong
    assert "costs.xlsx" in page.locator("#begin-problem").inner_text()
    tab.errors.clear()  # the browser tells of an answer that refuses
    page.get_by_label("Entries that are missing").select_option(label="Repeat the value before")
    page.get_by_role("button", name="Begin the journal").click()
    page.wait_for_url("**/journals/own")
    with service.client() as client:
        items = client.get("/api/journals/own/history").json()["items"]
    assert [each["costs"]["rail"] for each in items] == [1.0, 1.0, 3.0]
    assert [each["decision"]["rail"] for each in items[1:]] == [1.0, 1.0]
    check_quiet(service, tab)


def test_without_a_mouse(service, visit, client):
    tab = visit("/new")
    page = tab.page

    def to(label, most=80):
        """Press Tab until something is focused."""
        for _ in range(most):
            page.keyboard.press("Tab")
            found = page.evaluate(
                "(e => [e.labels?.[0]?.innerText, e.innerText, e.name].join('|'))(document.activeElement)"
            )
            if label in found:
                style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert style != "none"
                return
        raise AssertionError(f"Tab does not reach {label}")

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    to("Name")
    page.keyboard.type("by-keyboard")
    to("A table that comes")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    to("Options, one per line")
    page.keyboard.type("rail\nroad\nsea")
    to("Range of a round's costs")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    page.wait_for_url("**/journals/by-keyboard")
    to("rail")
    for cost in ("1", "2", "3"):
        page.keyboard.type(cost)
        page.keyboard.press("Tab")
    to("Enter the costs")
    page.keyboard.press("Enter")
    news(page, "Entered what 1 has brought.")
    to("Do something else")
    page.keyboard.press("Enter")
    to("Option")
    page.keyboard.type("road")
    page.get_by_text("The state: 100 % road.").or_(page.get_by_text("% road")).first.wait_for()
    to("Enter this decision")
    page.keyboard.press("Space")
    news(page, "Entered what is really done.")
    to("Take entry 3 back")
    page.keyboard.press("Enter")
    news(page, "Took entry 3 back.")
    assert client.get("/api/journals/by-keyboard").json()["overridden"] is False
    check_quiet(service, tab)


def test_html_in_names_is_text(browser, visit, tmp_path):
    """In options, periods and authors; nothing of it becomes an element, here or in what the script adds."""
    options = ["<img src=x onerror=alert(1)>", "</select><b>road</b>", "\"'&amp;{{ 7 * 7 }}"]
    with served(tmp_path / "journals.db", log=tmp_path / "log") as service:
        with service.client() as client:
            begin(client, "texts", options=options)
        token = _token(tmp_path / "journals.db", "<script>alert(2)</script>", "admin")
        with service.client(token) as client:
            for value in (1.0, 2.0):
                observe(client, [value, 2.0, 3.0], "texts", period=f"<u>{value}</u>")
            tab = visit("/login?to=/journals/texts", url=service.url)
            page = tab.page
            sign_in(page, token)
            page.wait_for_url("**/journals/texts")
            page.get_by_text("Do something else").click()
            option(page).select_option(options[0])
            page.get_by_text(f"% {options[0]}").first.wait_for()
            observe(client, [1.0, 2.0, 3.0], "texts", period="<i>new</i>")
            news(page, "New: <script>alert(2)</script> entered the costs of round 3 (<i>new</i>).")
            text = page.locator("main").inner_text()
            assert all(option in text for option in options)
            assert "<u>1.0</u>" in text
            assert page.locator("main :is(img, b, u, i, script)").count() == 0
            assert page.locator("header script").count() == 0
            page.goto(service.url)
            assert page.locator("main :is(img, b, u, i, script)").count() == 0
            assert tab.errors == []


def test_on_a_phone_nothing_is_wider_than_the_screen(service, visit, client):
    long = [f"A very long name of an option, with words and anunbrokenwordofmanyletters {k}" * 2 for k in range(9)]
    parts(client, "phone", options=long, horizon=99)
    client.post("/api/journals/phone/entries", json={"kind": "overridden", "value": [1 / 9] * 9})
    for day in range(1, 5):
        observe(client, [float(day * k) / 4 for k in range(9)], "phone", period=f"2026-11-0{day}")
    for path in ("/", "/new", "/login", "/journals/phone", "/journals/nothing"):
        page = visit(path, width=400).page
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, path


def test_a_double_click_and_a_lost_connection_enter_nothing_twice(service, visit, client):
    parts(client, "once")
    tab = visit("/journals/once")
    page, sent = tab.page, []

    def lose(route):
        """The service gets it, and its answer is lost."""
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/entries", lose)
    enter_costs(page, COSTS)
    page.locator("#observe-problem", has_text="it is not known whether this was entered").wait_for()
    assert page.locator("#observe").get_by_label("sea").input_value() == "2,5"
    page.get_by_role("button", name="Enter the costs").click()
    news(page, "1 has these already: nothing has changed.")
    assert sent == [sent[0]] * 2
    page.get_by_text("Do something else").click()
    option(page).select_option("sea")
    page.get_by_role("button", name="Enter this decision").dblclick()
    news(page, "Entered what is really done.")
    assert len(sent) == 3 or sent[3:] == sent[2:3]
    assert sent[2] != sent[0]
    assert [each["kind"] for each in client.get("/api/journals/once/events").json()["items"]] == [
        *("created", "observed", "overridden")
    ]


def test_what_is_typed_stays_when_a_colleague_enters_something(service, visit, client):
    parts(client, "typing")
    observe(client, [1.0, 2.0, 3.0], "typing", period="2026-11-16")
    tab = visit("/journals/typing")
    page = tab.page
    field = page.locator("#observe").get_by_label("rail")
    field.press_sequentially("12.5")
    field.evaluate("field => field.setSelectionRange(2, 2)")
    page.evaluate("document.querySelector('#fold-options').open = true")
    observe(client, [1.0, 2.0, 3.0], "typing", period="2026-11-17")
    news(page, "New: local entered the costs of round 2 (2026-11-17).")
    field = page.locator("#observe").get_by_label("rail")
    assert field.input_value() == "12.5"
    assert page.evaluate("[document.activeElement.dataset.option, document.activeElement.selectionStart]") == [
        "rail",
        2,
    ]
    assert page.locator("#fold-options").get_attribute("open") is not None
    assert page.get_by_label("Period, a date or any text").input_value() == "2026-11-17"  # the costs are of that one
    field.fill("8")
    page.locator("#observe").get_by_label("road").fill("2")
    page.locator("#observe").get_by_label("sea").fill("3")
    page.get_by_role("button", name="Enter the costs").click()
    problem = page.locator("#observe-problem")
    problem.get_by_text("2026-11-17 has other costs already: 'rail=1, road=2, sea=3', not 'rail=8").wait_for()
    assert page.evaluate("document.activeElement.id") == "observe-problem"
    assert client.get("/api/journals/typing").json()["rounds"] == 2


def test_a_decision_about_a_round_that_is_over_is_refused(service, visit, client):
    parts(client, "stale")
    page = visit("/journals/stale").page
    page.get_by_text("Do something else").click()
    option(page).select_option("sea")
    page.get_by_text("What this would do").wait_for()
    observe(client, [1.0, 2.0, 3.0], "stale")
    page.get_by_role("heading", name="What to do in round 2").wait_for()
    assert option(page).input_value() == "sea"
    page.get_by_role("button", name="Enter this decision").click()
    page.locator("#decide-problem", has_text="Somebody has entered something since.").wait_for()
    assert client.get("/api/journals/stale").json()["overridden"] is False
    page.get_by_role("button", name="Enter this decision").click()
    news(page, "Entered what is really done.")


def test_errors_stand_by_their_form_in_words(service, visit, client):
    parts(client, "wrong")
    tab = visit("/journals/wrong")
    page = tab.page
    enter_costs(page, {"rail": "1", "road": "two"})
    problem = page.locator("#observe-problem")
    problem.get_by_text("road is two: give a number, such as 12.5.").wait_for()
    focused = page.evaluate(
        "(e => [e.dataset.option, e.ariaInvalid, e.getAttribute('aria-describedby')])(document.activeElement)"
    )
    assert focused == ["road", "true", "observe-problem"]
    enter_costs(page, {"road": "1,200", "sea": "1"})
    problem.get_by_text("which can be read in two ways: write 1200 or 1.200").wait_for()
    check_quiet(service, tab)  # so far nothing was asked
    enter_costs(page, {"road": "30"})
    problem.get_by_text("see it as cut off there, with the box under More; promises end then.").wait_for()
    page.get_by_text("More", exact=True).click()
    page.get_by_label("The costs may differ by more than 9").check()
    page.get_by_role("button", name="Enter the costs").click()
    news(page, "Entered what 1 has brought.")
    page.get_by_text("Nothing is promised any more, because the costs of round 1 differed").wait_for()
    page.get_by_text("Do something else").click()
    option(page).select_option(label="a mix of several")
    page.locator("#decide").get_by_role("textbox", name="rail").fill("60")
    page.locator("#decide").get_by_role("textbox", name="road").fill("30")
    page.get_by_text("90 % of 100 %").wait_for()
    page.get_by_role("button", name="Enter this decision").click()
    page.locator("#decide-problem", has_text="The mix adds up to 90 percent: make it 100.").wait_for()
    page.locator("#decide").get_by_role("textbox", name="sea").fill("10")
    page.get_by_role("button", name="Enter this decision").click()
    news(page, "Entered what is really done.")
    assert client.get("/api/journals/wrong/decision").json()["decision"] == pytest.approx(
        {"rail": 0.6, "road": 0.3, "sea": 0.1}
    )


def test_errors_in_the_form_for_a_new_journal_are_in_its_own_words(service, visit, tmp_path):
    tab = visit("/new")
    page, problem = tab.page, tab.page.locator("#begin-problem")

    def sent(said, named):
        page.get_by_role("button", name="Begin the journal").click()
        problem.get_by_text(said).wait_for()
        assert page.evaluate("document.activeElement.name") == named

    page.get_by_label("Name", exact=True).fill("own words")
    rounds, range_ = page.locator("[name=horizon]"), page.locator("[name=range]")
    for field, text, said in (
        (rounds, "1.5", "The number of rounds is not a whole one: give one, such as 52, or none."),
        (range_, "-1", "The range is not above 0: give the most by which costs of one round differ."),
    ):
        field.fill(text)
        sent(said, field.get_attribute("name"))
        field.fill("")
    (tmp_path / "large.csv").write_bytes(b"x" * 6_100_000)
    page.get_by_label("A table of mine").check()
    page.get_by_label("File", exact=True).set_input_files(tmp_path / "large.csv")
    sent("This is too large: files of up to 6 MB can be sent.", "file")
    check_quiet(service, tab)  # so far nothing was asked
    page.get_by_label("Names only").check()
    page.get_by_label("Options, one per line").fill("rail\nroad")
    sent("This learner needs the range: give it, or choose another learner, such as AdaHedge.", "range")
    range_.fill("5")
    page.get_by_label("for changing times").check()
    sent("This learner needs the number of rounds: give it, or choose another learner, such as AdaHedge.", "horizon")


def test_a_preview_says_what_becomes_of_state_and_promise(service, visit, client):
    parts(client, "preview", horizon=200, cost_range=2.0, learner="guarded:slack=0.05")
    observe(client, [0.0, 1.0, 2.0], "preview")
    tab = visit("/journals/preview")
    page = tab.page
    page.get_by_text("Do something else").click()
    preview = page.locator(".preview")
    for kind, label in (("overridden", "This is what is really done"), ("proposed", "This is a proposal")):
        page.get_by_label(label).check()
        option(page).select_option("sea")
        status = client.post("/api/journals/preview/preview", json={"kind": kind, "value": "sea"}).json()
        promise = status["promise"]
        what = "stays, regret" if promise["feared"] <= promise["room"] else "may be lost"
        preview.get_by_text("of the way" if kind == "proposed" else what).wait_for()
        assert what in preview.inner_text()
        assert f"up to {promise['feared']:.4g} of its room" in preview.inner_text()
        state = {each["name"]: each["state"] for each in status["options"]}
        assert f"{100 * max(state.values()):.0f} % {max(state, key=state.get)}" in preview.inner_text()
        assert ("of the way" in preview.inner_text()) == (kind == "proposed")
    page.get_by_role("button", name="Enter this decision").click()
    news(page, "Entered the proposal.")
    page.get_by_text("As far as the guard allows what somebody proposed.").wait_for()
    assert page.get_by_label("This is a proposal").count() == 0
    check_quiet(service, tab)


def test_costs_that_come_later(service, visit, client):
    parts(client, "later")
    tab = visit("/journals/later")
    page = tab.page
    page.get_by_text("Go on before the costs are known").click()
    page.locator("#commit").get_by_label("Period").fill("2026-11-13")
    page.get_by_role("button", name="Let the decision stand").click()
    news(page, "The decision of 2026-11-13 stands.")
    page.get_by_role("heading", name="What to do in round 2, 2026-11-14").wait_for()
    page.get_by_text("Not known yet: the costs of 1 round: 2026-11-13.").wait_for()
    period = page.get_by_label("Period, a date or any text")
    assert period.input_value() == "2026-11-13"
    assert period.get_attribute("readonly") is not None
    enter_costs(page, COSTS)
    news(page, "Entered what 2026-11-13 has brought.")
    assert client.get("/api/journals/later/history").json()["items"][0]["costs"] == {"rail": 1.5, "road": 3, "sea": 2.5}
    check_quiet(service, tab)


def test_a_table_and_a_row_from_a_spreadsheet(service, visit, client):
    parts(client, "table")
    tab = visit("/journals/table")
    page = tab.page
    page.get_by_text("Upload a table").click()
    file = page.get_by_label("File")
    table = "date,paid,rail,road,sea\n2026-11-16,2026-12-16,1,2,3\n2026-11-17,2026-12-17,2,{},3\n"
    file.set_input_files({"name": "costs.csv", "mimeType": "text/csv", "buffer": table.format("x").encode()})
    page.get_by_role("button", name="Enter its new periods").click()
    problem = page.locator("#table-problem")
    problem.wait_for()
    assert re.search(r"costs\.csv|row 2|road", problem.inner_text())
    file.set_input_files({"name": "costs.csv", "mimeType": "text/csv", "buffer": table.format(2).encode()})
    page.get_by_role("button", name="Enter its new periods").click()
    problem.get_by_text("as the column of the dates").wait_for()
    tab.errors.clear()  # the browser tells of an answer that refuses
    page.get_by_label("Column of the dates").fill("date")
    page.get_by_role("button", name="Enter its new periods").click()
    news(page, "Entered 2 periods, 2026-11-16 to 2026-11-17.")
    page.locator("#observe").get_by_label("rail").evaluate(
        "field => { const data = new DataTransfer(); data.setData('text', '4\\t5\\t6\\n'); field.dispatchEvent("
        "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }"
    )
    page.get_by_role("button", name="Enter the costs").click()
    news(page, "Entered what 2026-11-18 has brought.")
    assert client.get("/api/journals/table/history?limit=1").json()["items"][0]["costs"]["sea"] == 6
    check_quiet(service, tab)


def test_options_come_go_and_are_renamed(service, visit, client):
    parts(client, "options", memory="window:2")
    observe(client, [1.0, 2.0, 3.0], "options")
    tab = visit("/journals/options")
    page = tab.page
    page.get_by_text("Change the options").click()
    page.locator("#rename").get_by_label("Option").select_option("sea")
    page.locator("#rename").get_by_label("New name").fill("ship")
    page.get_by_role("button", name="Rename").click()
    news(page, "sea has a new name.")
    page.locator("#join").get_by_label("Name").fill("air")
    page.get_by_role("button", name="Take in").click()
    news(page, "air is an option now.")
    page.get_by_text("Nothing is promised any more, because air joined before round 2.").wait_for()
    page.locator("#retire").get_by_label("Option").select_option("rail")
    page.get_by_role("button", name="Retire").click()
    news(page, "rail was retired.")
    assert page.locator("#observe").get_by_label("rail (retired, still in the state)").count() == 1
    enter_costs(page, {"rail (retired, still in the state)": "1", "road": "2", "ship": "3", "air": "4"})
    news(page, "Entered what 2 has brought.")
    check_quiet(service, tab)


def _token(database, name, *scopes):
    from bygones.live.schema import Database
    from bygones.live.service.tokens import Tokens

    place = Database(database)
    made = Tokens(place).new(name, scopes)
    place.close()
    return made


def test_signing_in_and_what_each_may_do(visit, tmp_path):
    place = tmp_path / "journals.db"
    by.Journal.create(place, "parts", by.Problem(["rail", "road"], None, by.Window(4), 5.0)).close()
    tokens = {scope: _token(place, f"a {scope}er", scope) for scope in ("read", "observe", "admin")}
    with served(place, log=tmp_path / "log") as service:
        for scope, token in tokens.items():
            tab = visit("/journals/parts", url=service.url)
            page = tab.page
            assert page.url.endswith("/login?to=/journals/parts")
            sign_in(page, "bygones_wrong_one")
            page.get_by_text("The token is wrong").wait_for()
            tab.errors.clear()
            sign_in(page, token)
            page.wait_for_url("**/journals/parts")
            forms = [form.get_attribute("id") for form in page.locator("form").all()]
            assert (
                forms
                == {
                    "read": [],
                    "observe": ["observe", "table"],
                    "admin": ["observe", "decide", "commit", "table", "rename", "join", "retire", "undo"],
                }[scope]
            )
            (cookie,) = page.context.cookies()
            assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"]) == ("bygones", True, "Strict")
            if scope == "observe":
                enter_costs(page, {"rail": "1", "road": "2"})
                page.locator(".log", has_text="a observeer entered the costs of round 1").wait_for()
            assert (page.get_by_role("link", name="New journal").count() > 0) == (scope == "admin")
            assert tab.errors == []
            for path in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"):
                page.goto(f"{service.url}/login?to={path}")
                assert page.locator("[name=to]").input_value() == "/"


def test_a_service_that_was_away_is_found_again(visit, tmp_path):
    place, log = tmp_path / "journals.db", tmp_path / "log"
    with served(place, log=log) as first:
        port = first.url.rpartition(":")[2]
        with first.client() as client:
            begin(client)
        page = visit("/journals/parts", url=first.url).page
        page.wait_for_timeout(300)
        first.stop()
        page.locator("#news.lost").wait_for()
    with by.Journal.open(place, "parts", author="ann") as journal:
        journal.observe([1.0, 2.0], "while it was away")
    with served(place, "--port", port, log=log):
        page.locator("#news", has_text="New: ann entered the costs of round 1 (while it was away).").wait_for()
        page.get_by_role("heading", name="What to do in round 2").wait_for()


def test_without_a_script_everything_can_be_read(service, visit, client):
    parts(client, "script")
    observe(client, [1.0, 2.0, 3.0], "script", period="2026-11-16")
    page = visit("/journals/script", java_script_enabled=False).page
    text = page.locator("main").inner_text()
    assert "What to do in round 2, 2026-11-17" in text
    assert "entered the costs of round 1 (2026-11-16)" in text
    assert "To enter something, allow JavaScript" in text
    assert not page.locator("#observe").is_visible()
    assert page.get_by_role("img", name="over 1 round").count() == 3


def test_pages_that_are_not_there(service, client):
    html = {"Accept": "text/html"}
    for path, status in (
        ("/journals/nothing", 404),
        ("/journals/..%2Fetc", 404),
        ("/nowhere", 404),
        ("/static/x.js", 404),
    ):
        answer = client.get(path, headers=html)
        assert answer.status_code == status
        assert "There is no such page or journal." in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    for name in ("live.css", "live.js", "style.css", "flights.csv"):
        answer = client.get(f"/static/{name}")
        assert answer.status_code == 200
        assert client.get(f"/static/{name}", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert json.loads(client.get("/journals/nothing").text)["error"]
